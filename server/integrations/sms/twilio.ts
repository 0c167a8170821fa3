import { SmsFailed, type SmsFault, SmsRefused, type SmsSender } from './sms.ts';
import { isSignedByTwilio } from './twilio-signature.ts';

export interface TwilioAccount {
  account_sid: string;
  auth_token: string;
  from: string;
  api_base: string;
  /** URL for status callbacks; null where Twilio cannot reach this server. */
  status_url?: string | null;
}

/** Twilio's error code: the recipient has answered STOP to this sender. */
const optedOutCode = 21610;
/** Errors about the sender's number, not about the recipient's. */
const aboutOurNumber = [21210, 21212, 21603, 21606, 21607, 21659, 21660, 21661];
/** Statuses that may be retried: timeouts, rate limits, or wrong credentials, which the operator can fix. */
const retryableStatuses = [401, 403, 404, 408, 429];

/**
 * https://www.twilio.com/docs/messaging/api/message-resource. Twilio's API has no idempotency key, so an SMS whose reply was lost may
 * arrive twice. `timeout`: in milliseconds, for one call.
 */
export function twilioSender({ account_sid, auth_token, from, api_base, status_url }: TwilioAccount, timeout = 10_000): SmsSender {
  const url = `${api_base}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`;
  const closeController = new AbortController();
  return {
    from,
    async send({ id, to, body }) {
      const form: Record<string, string> = { To: to, From: from, Body: body };
      if (status_url) form.StatusCallback = `${status_url}?job=${encodeURIComponent(id)}`;
      const { status, code } = await fetch(url, {
        method: 'POST',
        headers: { authorization, accept: 'application/json' },
        body: new URLSearchParams(form),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeout), closeController.signal]),
      }).then(
        async (answer) => ({ status: answer.status, code: await codeIn(answer) }),
        (err: unknown) => ({ status: 0, code: reasonOf(err) }),
      );
      if (status >= 200 && status < 300) return;
      // Twilio's error text contains the number, and must not reach our tables or log.
      if (code === optedOutCode) throw new SmsRefused('opted_out', `the number takes no texts from us (${optedOutCode})`);
      if (status >= 400 && status < 500 && !retryableStatuses.includes(status) && !aboutOurNumber.includes(Number(code))) {
        throw new SmsRefused('refused', `the text was refused for good (${status}, ${code})`);
      }
      throw new SmsFailed(faultOf(status, code), { ...(status ? { status } : {}), code: String(code) });
    },
    hasSigned: (address, fields, signature) => isSignedByTwilio(auth_token, address, fields, signature),
    close: async () => closeController.abort(),
  };
}

async function codeIn(answer: Response): Promise<number> {
  const body: unknown = await answer.json().catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : 0;
  return typeof code === 'number' ? code : 0;
}

function faultOf(status: number, code: number | string): SmsFault {
  if (status === 0) return code === 'TimeoutError' ? 'unclear' : 'server';
  return status === 408 || status === 429 || status >= 500 ? 'later' : 'server';
}

function reasonOf(err: unknown): string {
  const { name, cause } = err as { name: string; cause?: { code?: string } };
  return cause?.code ?? name;
}
