import { randomBytes } from 'node:crypto';

/** A request to Twilio's API. `known`: name and token of the account are right. */
interface ApiRequest {
  method: string | undefined;
  path: string | undefined;
  account_sid: string;
  /** The account's number, and where it posts messages that come in. */
  from: string;
  inbound_url: string;
  known: boolean;
  form: URLSearchParams;
  blocked(number: string): boolean;
}

type Failures = Record<string, { code: number; message: string }>;
const invalid = { code: 21211, message: "The 'To' number is not a valid phone number" };

/** Numbers that fail, as with Twilio's test credentials (https://www.twilio.com/docs/iam/test-credentials). */
const noTexts: Failures = {
  '+15005550001': invalid,
  '+15005550003': { code: 21408, message: 'Texts to that region are not switched on for this account' },
  '+15005550004': { code: 21610, message: 'The recipient has asked for no more texts' },
  '+15005550009': { code: 21614, message: "The 'To' number takes no texts" },
};
const noCalls: Failures = {
  '+15005550001': { code: 21217, message: "The 'To' number is not a valid phone number" },
  '+15005550002': { code: 21214, message: "The 'To' number cannot be reached" },
  '+15005550003': { code: 21215, message: 'Calls to that region are not switched on for this account' },
  '+15005550004': { code: 21216, message: 'Calls to this number are not allowed' },
};

/** A number whose phone is off: messages are accepted, but never delivered. */
export const unreachable = '+15005550002';

export interface ApiAnswer {
  status: number;
  body: object;
  /** What was accepted; null for a description or an error. */
  resource: 'Messages' | 'Calls' | null;
}

/** Answers a request: a message or call with 201, a description with 200, or Twilio's error envelope. Pure but for the new identifier. */
export function answerFor(request: ApiRequest): ApiAnswer {
  const { method, path, account_sid, known } = request;
  if (!known) return errorAnswer(401, 20003, 'Authenticate');
  const description = descriptionFor(request);
  if (description)
    return method === 'GET' ? { status: 200, body: description, resource: null } : errorAnswer(405, 20004, 'Method not allowed');
  const resource = (['Messages', 'Calls'] as const).find((one) => path === `/2010-04-01/Accounts/${account_sid}/${one}.json`);
  if (!resource) return errorAnswer(404, 20404, 'The requested resource was not found');
  if (method !== 'POST') return errorAnswer(405, 20004, 'Method not allowed');
  return resource === 'Messages' ? messageAnswer(request) : callAnswer(request);
}

/** The account, or its numbers; null for other paths. */
function descriptionFor({ path = '/', account_sid, from, inbound_url }: ApiRequest): object | null {
  const { pathname, searchParams } = new URL(path, 'http://twilio');
  const account = `/2010-04-01/Accounts/${account_sid}`;
  if (pathname === `${account}.json`) return { sid: account_sid, status: 'active', type: 'Full' };
  if (pathname !== `${account}/IncomingPhoneNumbers.json`) return null;
  const number = { account_sid, phone_number: from, sms_url: inbound_url, sms_method: 'POST' };
  return { incoming_phone_numbers: from.includes(searchParams.get('PhoneNumber') ?? '') ? [number] : [], page: 0 };
}

function messageAnswer({ account_sid, form, blocked }: ApiRequest): ApiAnswer {
  const [recipient, sender, body] = ['To', 'From', 'Body'].map((name) => form.get(name) ?? '');
  if (!recipient) return errorAnswer(400, 21604, "A 'To' phone number is required");
  if (!sender) return errorAnswer(400, 21603, "A 'From' phone number is required");
  if (!body) return errorAnswer(400, 21602, 'Message body is required');
  if (body.length > 1600) return errorAnswer(400, 21617, 'The message body exceeds the 1600 character limit');
  const failure = failureOf(recipient, noTexts, blocked);
  if (failure) return errorAnswer(400, failure.code, failure.message);
  return accepted('Messages', 'SM', { account_sid, to: recipient, from: sender, body, error_code: null, error_message: null });
}

function callAnswer({ account_sid, form }: ApiRequest): ApiAnswer {
  const [recipient, sender, url] = ['To', 'From', 'Url'].map((name) => form.get(name) ?? '');
  if (!recipient) return errorAnswer(400, 21201, "No 'To' number is specified");
  if (!sender) return errorAnswer(400, 21213, "A 'From' phone number is required");
  if (!url) return errorAnswer(400, 21205, 'Url parameter is required');
  if (!URL.canParse(url)) return errorAnswer(400, 21205, 'Url is not a valid URL');
  // Calls do not heed the list of numbers that opted out of texts.
  const failure = failureOf(recipient, noCalls, () => false);
  if (failure) return errorAnswer(400, failure.code, failure.message);
  return accepted('Calls', 'CA', { account_sid, to: recipient, from: sender });
}

function failureOf(recipient: string, failures: Failures, blocked: (number: string) => boolean) {
  if (!/^\+[1-9]\d{4,18}$/.test(recipient)) return invalid;
  return failures[blocked(recipient) ? '+15005550004' : recipient];
}

function accepted(resource: 'Messages' | 'Calls', prefix: string, fields: object): ApiAnswer {
  const sid = `${prefix}${randomBytes(16).toString('hex')}`;
  return { status: 201, body: { sid, ...fields, status: 'queued', direction: 'outbound-api' }, resource };
}

function errorAnswer(status: number, code: number, message: string): ApiAnswer {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, resource: null };
}
