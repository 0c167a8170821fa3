import { SmsFailed, type SmsFault, SmsRefused, type SmsSender } from './sms.ts';
import { isSignedByTwilio } from './twilio-signature.ts';

/** An account with Twilio, or with whatever speaks its HTTP interface. */
export interface TwilioAccount {
  account_sid: string;
  auth_token: string;
  /** E.164. */
  from: string;
  /** Without a slash at the end. */
  api_base: string;
  /** Where it tells what became of each text; null where it could not reach us. */
  status_url?: string | null;
}

/** The person has answered STOP to this sender. */
const optedOut = 21610;
/** It is the number that texts come from that cannot send: an operator can mend it, and no recipient is to blame. */
const aboutOurNumber = [21210, 21212, 21603, 21606, 21607, 21659, 21660, 21661];
/** 4xx that pass: the request was too slow, there were too many; or it is we who are not known, which an operator can mend. */
const passing = [401, 403, 404, 408, 429];

/**
 * Sends by Twilio's Messages resource (https://www.twilio.com/docs/messaging/api/message-resource): a form in, JSON out. That interface knows
 * no key against doubles, so a text whose answer was lost may arrive twice. `timeout`: milliseconds for one whole call.
 */
export function twilioSender({ account_sid, auth_token, from, api_base, status_url }: TwilioAccount, timeout = 10_000): SmsSender {
  const url = `${api_base}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`;
  const closing = new AbortController();
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
        signal: AbortSignal.any([AbortSignal.timeout(timeout), closing.signal]),
      }).then(
        async (answer) => ({ status: answer.status, code: await codeIn(answer) }),
        (err: unknown) => ({ status: 0, code: reasonOf(err) }),
      );
      if (status >= 200 && status < 300) return;
      // Twilio's own sentence has the number in it: it stays out of our tables and our log.
      if (code === optedOut) throw new SmsRefused('opted_out', `the number takes no texts from us (${optedOut})`);
      if (status >= 400 && status < 500 && !passing.includes(status) && !aboutOurNumber.includes(Number(code))) {
        throw new SmsRefused('refused', `the text was refused for good (${status}, ${code})`);
      }
      throw new SmsFailed(faultOf(status, code), { ...(status ? { status } : {}), code: String(code) });
    },
    hasSigned: (address, fields, signature) => isSignedByTwilio(auth_token, address, fields, signature),
    close: async () => closing.abort(),
  };
}

/** Twilio's number for what went wrong; 0 when there is none. */
async function codeIn(answer: Response): Promise<number> {
  const body: unknown = await answer.json().catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : 0;
  return typeof code === 'number' ? code : 0;
}

/** Too much to do, or a passing fault over there; without an answer in time nobody knows; and else it is we who are not let in. */
function faultOf(status: number, code: number | string): SmsFault {
  if (status === 0) return code === 'TimeoutError' ? 'unclear' : 'server';
  return status === 408 || status === 429 || status >= 500 ? 'later' : 'server';
}

function reasonOf(err: unknown): string {
  const { name, cause } = err as { name: string; cause?: { code?: string } };
  return cause?.code ?? name;
}
