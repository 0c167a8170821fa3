import { type TwilioAccount, twilioApi } from '../twilio/api.ts';
import { isSignedByTwilio } from '../twilio/signature.ts';
import { SmsFailed, SmsRefused, type SmsSender } from './sms.ts';

/** `status_url`: for status callbacks; null where Twilio cannot reach this server. */
export type TwilioTexts = TwilioAccount & { status_url?: string | null };

/** Twilio's error code: the recipient has answered STOP to this sender. */
const optedOutCode = 21610;

/**
 * https://www.twilio.com/docs/messaging/api/message-resource. Twilio's API has no idempotency key, so an SMS whose reply was lost may
 * arrive twice. `timeout`: in milliseconds, for one call.
 */
export function twilioSender({ status_url, ...account }: TwilioTexts, timeout = 10_000): SmsSender {
  const api = twilioApi(account, timeout);
  return {
    from: account.from,
    async send({ id, to, body }) {
      const form: Record<string, string> = { To: to, From: account.from, Body: body };
      if (status_url) form.StatusCallback = `${status_url}?job=${encodeURIComponent(id)}`;
      const answer = await api.post('Messages', new URLSearchParams(form));
      if (answer.kind === 'accepted') return;
      const { status, code } = answer;
      if (code === optedOutCode) throw new SmsRefused('opted_out', `the number takes no texts from us (${optedOutCode})`);
      if (answer.kind === 'refused') throw new SmsRefused('refused', `the text was refused for good (${status}, ${code})`);
      throw new SmsFailed(answer.fault, { ...(status ? { status } : {}), code: String(code) });
    },
    hasSigned: (address, fields, signature) => isSignedByTwilio(account.auth_token, address, fields, signature),
    close: async () => api.close(),
  };
}
