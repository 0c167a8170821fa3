export interface TwilioAccount {
  account_sid: string;
  auth_token: string;
  from: string;
  api_base: string;
}

/** Errors about the sender's number, not about the recipient's. */
const aboutOurNumber = [21210, 21212, 21213, 21603, 21606, 21607, 21659, 21660, 21661];
/** Statuses that may be retried: timeouts, rate limits, or wrong credentials, which the operator can fix. */
const retryableStatuses = [401, 403, 404, 408, 429];

/** `server`: the service is unreachable, or refuses our account; `later`: overloaded; `unclear`: no answer. */
export type TwilioFault = 'server' | 'later' | 'unclear';

export type TwilioAnswer =
  | { kind: 'accepted' }
  /** Retries are useless: it is about the recipient's number. */
  | { kind: 'refused'; status: number; code: number }
  | { kind: 'failed'; fault: TwilioFault; status: number; code: number | string };

/**
 * https://www.twilio.com/docs/usage/requests-to-twilio. The API has no idempotency key. `timeout`: in milliseconds, for one call. Twilio's
 * error text contains the number, and must not reach our tables or log, so only its code is returned.
 */
export function twilioApi({ account_sid, auth_token, api_base }: TwilioAccount, timeout: number) {
  const authorization = `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`;
  const closeController = new AbortController();
  return {
    /** `resource`: such as `Messages`. */
    async post(resource: string, form: URLSearchParams): Promise<TwilioAnswer> {
      const { status, code } = await fetch(`${api_base}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/${resource}.json`, {
        method: 'POST',
        headers: { authorization, accept: 'application/json' },
        body: form,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeout), closeController.signal]),
      }).then(
        async (answer) => ({ status: answer.status, code: await codeIn(answer) }),
        (err: unknown) => ({ status: 0, code: reasonOf(err) }),
      );
      if (status >= 200 && status < 300) return { kind: 'accepted' };
      if (status >= 400 && status < 500 && !retryableStatuses.includes(status) && !aboutOurNumber.includes(Number(code)))
        return { kind: 'refused', status, code: Number(code) };
      return { kind: 'failed', fault: faultOf(status, code), status, code };
    },
    close: () => closeController.abort(),
  };
}

async function codeIn(answer: Response): Promise<number> {
  const body: unknown = await answer.json().catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : 0;
  return typeof code === 'number' ? code : 0;
}

function faultOf(status: number, code: number | string): TwilioFault {
  if (status === 0) return code === 'TimeoutError' ? 'unclear' : 'server';
  return status === 408 || status === 429 || status >= 500 ? 'later' : 'server';
}

function reasonOf(err: unknown): string {
  const { name, cause } = err as { name: string; cause?: { code?: string } };
  return cause?.code ?? name;
}
