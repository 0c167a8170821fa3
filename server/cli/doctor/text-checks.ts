import { type Config, isLoopback, type TwilioSettings } from '../../config.ts';
import { type Check, error, type Finding, ok, reasonOf, unknown, warning } from './check.ts';

const settings = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_API_BASE'] satisfies Check['needs'];

export function textChecks({ texts, public_url }: Config): Check[] {
  if (texts === 'off') return [{ id: 'texts.account', run: () => ok('Text messages and calls are off (FEATURE_SMS=off).') }];
  if (texts === 'mailbox') {
    const noCarrier = isLoopback(public_url) ? ok : warning;
    const found = noCarrier(
      'Twilio is not set up, so text messages go to the local mailbox and reach nobody. Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or FEATURE_SMS=off.',
    );
    return [{ id: 'texts.account', needs: settings, run: () => found }];
  }
  return [
    { id: 'texts.account', needs: settings, run: async (signal) => accountFinding(await ask(texts, '', signal)) },
    {
      id: 'texts.number',
      needs: settings,
      run: async (signal) => numberFinding(await ask(texts, numberQuery(texts), signal), texts, public_url),
    },
    { id: 'texts.webhook', needs: ['PUBLIC_URL'], run: () => webhookFinding(public_url) },
  ];
}

interface TwilioReply {
  status: number;
  body: unknown;
}

const numberQuery = ({ from }: TwilioSettings) => `/IncomingPhoneNumbers.json?PhoneNumber=${encodeURIComponent(from)}`;

/** https://www.twilio.com/docs/usage/requests-to-twilio. `resource`: of the account; empty: the account itself. */
async function ask({ account_sid, auth_token, api_base }: TwilioSettings, resource: string, signal: AbortSignal): Promise<TwilioReply> {
  const authorization = `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`;
  const account = `${api_base}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}`;
  const url = resource === '' ? `${account}.json` : `${account}${resource}`;
  const answer = await fetch(url, { headers: { authorization, accept: 'application/json' }, redirect: 'error', signal }).catch(
    (err: unknown) => {
      throw new Error(`Twilio cannot be reached (${reasonOf(err)}); check TWILIO_API_BASE and the network`);
    },
  );
  return { status: answer.status, body: await answer.json().catch(() => null) };
}

function accountFinding({ status, body }: TwilioReply): Finding {
  if (status === 401 || status === 404)
    return error('Twilio does not know this account or its token. Correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.');
  if (status !== 200) return error(`Twilio answered ${status} instead of describing the account. Try again, and read status.twilio.com.`);
  const state = fieldOf(body, 'status');
  if (state !== 'active')
    return error(`The Twilio account is ${state || 'in no known state'}, so nothing is sent. See its console at Twilio.`);
  if (fieldOf(body, 'type') === 'Trial')
    return warning('The Twilio account is active, but a trial: it sends only to numbers that are confirmed at Twilio. Upgrade it.');
  return ok('Twilio accepts the token, and the account is active.');
}

function numberFinding({ status, body }: TwilioReply, { from }: TwilioSettings, public_url: string): Finding {
  if (status !== 200) return unknown(`Twilio answered ${status} when asked for the number ${from}.`);
  const numbers = typeof body === 'object' && body !== null && 'incoming_phone_numbers' in body ? body.incoming_phone_numbers : [];
  const [number] = Array.isArray(numbers) ? (numbers as unknown[]) : [];
  if (number === undefined)
    return error(`TWILIO_FROM is ${from}, and the Twilio account has no such number. Set TWILIO_FROM to one that it has, in full.`);
  const expected = `${public_url}/api/texts/inbound`;
  const current = fieldOf(number, 'sms_url');
  if (current !== expected)
    return warning(
      `Answers to ${from} do not arrive here, not even STOP: at Twilio its "A message comes in" is ${current || 'empty'}. Set it to ${expected}.`,
    );
  return ok(`The Twilio account has ${from}, and answers to it arrive here.`);
}

function fieldOf(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function webhookFinding(public_url: string): Finding {
  if (isLoopback(public_url))
    return warning(`Twilio cannot reach this server: PUBLIC_URL is ${public_url}. Calls and answers need a public address.`);
  if (!public_url.startsWith('https:'))
    return error(`PUBLIC_URL is ${public_url}: Twilio would send what people answer without encryption. Use an https:// address.`);
  return ok(`Twilio reports to ${public_url}/api/texts and /api/calls.`);
}
