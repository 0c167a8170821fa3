import { randomBytes } from 'node:crypto';

/** A call of Twilio's API. `known`: name and token of the account are right. */
interface TextCall {
  method: string | undefined;
  path: string | undefined;
  account_sid: string;
  known: boolean;
  form: URLSearchParams;
  blocked(number: string): boolean;
}

/** Numbers that fail, as with Twilio's test credentials (https://www.twilio.com/docs/iam/test-credentials). */
const failingNumbers: Record<string, { code: number; message: string }> = {
  '+15005550001': { code: 21211, message: "The 'To' number is not a valid phone number" },
  '+15005550003': { code: 21408, message: 'Texts to that region are not switched on for this account' },
  '+15005550004': { code: 21610, message: 'The recipient has asked for no more texts' },
  '+15005550009': { code: 21614, message: "The 'To' number takes no texts" },
};

/** A number whose phone is off: messages are accepted, but never delivered. */
export const unreachable = '+15005550002';

/** Answers a call: a message with 201, or Twilio's error envelope. Pure but for the new message's identifier. */
export function answerFor({ method, path, account_sid, known, form, blocked }: TextCall): { status: number; body: object } {
  if (!known) return errorAnswer(401, 20003, 'Authenticate');
  if (path !== `/2010-04-01/Accounts/${account_sid}/Messages.json`) return errorAnswer(404, 20404, 'The requested resource was not found');
  if (method !== 'POST') return errorAnswer(405, 20004, 'Method not allowed');
  const [recipient, sender, body] = ['To', 'From', 'Body'].map((name) => form.get(name) ?? '');
  if (!recipient) return errorAnswer(400, 21604, "A 'To' phone number is required");
  if (!sender) return errorAnswer(400, 21603, "A 'From' phone number is required");
  if (!body) return errorAnswer(400, 21602, 'Message body is required');
  if (body.length > 1600) return errorAnswer(400, 21617, 'The message body exceeds the 1600 character limit');
  const failure = /^\+[1-9]\d{4,18}$/.test(recipient)
    ? failingNumbers[blocked(recipient) ? '+15005550004' : recipient]
    : failingNumbers['+15005550001'];
  if (failure) return errorAnswer(400, failure.code, failure.message);
  const sid = `SM${randomBytes(16).toString('hex')}`;
  return {
    status: 201,
    body: {
      sid,
      account_sid,
      to: recipient,
      from: sender,
      body,
      status: 'queued',
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
    },
  };
}

function errorAnswer(status: number, code: number, message: string): { status: number; body: object } {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}
