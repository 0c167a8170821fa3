import { afterEach, expect, test } from 'vitest';
import { answering, openFakeTwilio, type TwilioReply } from '../../testing/fake-twilio.ts';
import { twilioSignature } from '../twilio/signature.ts';
import { twilioVoice } from './twilio-voice.ts';
import { noVoice } from './voice.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const calls_url = 'https://www.example.org/api/calls';
const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

function caller(api_base: string, timeout?: number) {
  const voiceCaller = twilioVoice({ account_sid: 'AC1', auth_token: 'secret', from: '+12025550100', api_base, calls_url }, timeout);
  closers.push(voiceCaller.close);
  return voiceCaller;
}

const resultOf = (api_base: string, timeout?: number) =>
  caller(api_base, timeout)
    .call({ id, to: '+12025550143' })
    .then(
      () => 'accepted',
      (err: Error & { fault?: string }) => [err.constructor.name, err.fault, err.message].filter(Boolean).join(': '),
    );

async function fakeTwilio(answer: TwilioReply) {
  const twilio = await openFakeTwilio(answer);
  closers.push(twilio.close);
  return twilio;
}

test("[P11.1] a call is posted as a form to the account's own address, with where Twilio asks for the words and reports its end", async () => {
  const { api_base, seen } = await fakeTwilio(answering(201, { sid: 'CA1', status: 'queued' }));
  expect(await resultOf(api_base)).toBe('accepted');
  expect(seen).toEqual([
    {
      line: 'POST /2010-04-01/Accounts/AC1/Calls.json',
      authorization: `Basic ${btoa('AC1:secret')}`,
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      fields: [
        ['To', '+12025550143'],
        ['From', '+12025550100'],
        ['Url', `${calls_url}/words?call=${id}`],
        ['Method', 'POST'],
        ['StatusCallback', `${calls_url}/status?call=${id}`],
        ['StatusCallbackMethod', 'POST'],
        ['MachineDetection', 'DetectMessageEnd'],
        ['Timeout', '25'],
        ['StatusCallbackEvent', 'initiated'],
        ['StatusCallbackEvent', 'answered'],
        ['StatusCallbackEvent', 'completed'],
      ],
    },
  ]);
});

const error = (status: number, code: number) => answering(status, { code, message: 'about +12025550143', status });

test.each([
  ['that the number is none', error(400, 21211), 'CallRefused: the call was refused for good (400, 21211)'],
  ['that it cannot reach the number', error(400, 21214), 'CallRefused: the call was refused for good (400, 21214)'],
  ['that the country is not allowed', error(400, 21215), 'CallRefused: the call was refused for good (400, 21215)'],
  ['that the country is not allowed, by the newer code', error(400, 13227), 'CallRefused: the call was refused for good (400, 13227)'],
  ['that our own number is not verified', error(400, 21210), 'CallFailed: server: the call was not taken (400, 21210)'],
  ['that it does not know us', error(401, 20003), 'CallFailed: server: the call was not taken (401, 20003)'],
  ['that there were too many', error(429, 20429), 'CallFailed: later: the call was not taken (429, 20429)'],
  ['that something broke', answering(500, '<h1>Oops</h1>'), 'CallFailed: later: the call was not taken (500, 0)'],
  ['nothing and cuts the line', (reply) => reply.destroy(), 'CallFailed: server: the call was not taken (no answer'],
] satisfies [string, TwilioReply, string][])(
  'the caller reports the right error when Twilio answers %s',
  async (_what, answer, outcome) => {
    const { api_base } = await fakeTwilio(answer);
    const result = await resultOf(api_base);
    expect(result).toContain(outcome);
    expect(result).not.toContain('2025550143');
  },
);

test('a call is retried after a timeout and when Twilio is unreachable', async () => {
  const { api_base } = await fakeTwilio(() => {});
  expect(await resultOf(api_base, 50)).toBe('CallFailed: unclear: the call was not taken (no answer, TimeoutError)');
  expect(await resultOf('http://127.0.0.1:1')).toMatch(/^CallFailed: server: the call was not taken \(no answer/);
});

test('a webhook is accepted only with the signature of the account, and none with calls switched off', () => {
  const [url, fields] = [`${calls_url}/key?call=${id}`, new URLSearchParams({ Digits: '1' })];
  const signature = twilioSignature('secret', url, fields);
  expect(caller('http://127.0.0.1:1').hasSigned(url, fields, signature)).toBe(true);
  expect(caller('http://127.0.0.1:1').hasSigned(url, fields, twilioSignature('another', url, fields))).toBe(false);
  expect(noVoice.hasSigned(url, fields, signature)).toBe(false);
});
