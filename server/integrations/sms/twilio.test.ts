import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { answering, openFakeTwilio, type TwilioReply } from '../../testing/fake-twilio.ts';
import { twilioSender } from './twilio.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function fakeTwilio(answer: TwilioReply) {
  const twilio = await openFakeTwilio(answer);
  closers.push(twilio.close);
  return twilio;
}

async function resultOf(api_base: string, timeout?: number) {
  const smsSender = twilioSender({ account_sid: 'AC1', auth_token: 'secret', from: '+12025550100', api_base }, timeout);
  closers.push(smsSender.close);
  return smsSender.send({ id: 'x', to: '+12025550143', body: 'Porchlight: 1 + 1 & more' }).then(
    () => 'taken',
    (err: Error & { reason?: string }) => [err.constructor.name, err.reason, err.message].filter(Boolean).join(': '),
  );
}

test("[P7.1] an SMS is posted as a form to the account's own address, with its id and token", async () => {
  const { api_base, seen } = await fakeTwilio(answering(201, { sid: 'SM1', status: 'queued' }));
  expect(await resultOf(api_base)).toBe('taken');
  expect(seen).toEqual([
    {
      line: 'POST /2010-04-01/Accounts/AC1/Messages.json',
      authorization: `Basic ${btoa('AC1:secret')}`,
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      fields: [
        ['To', '+12025550143'],
        ['From', '+12025550100'],
        ['Body', 'Porchlight: 1 + 1 & more'],
      ],
    },
  ]);
});

const error = (status: number, code: number) => answering(status, { code, message: 'about +12025550143', status });

test.each([
  ['that the number has opted out', error(400, 21610), 'SmsRefused: opted_out: the number takes no texts from us (21610)'],
  ['that the number is none', error(400, 21211), 'SmsRefused: refused: the text was refused for good (400, 21211)'],
  ['that the number takes no texts', error(400, 21614), 'SmsRefused: refused: the text was refused for good (400, 21614)'],
  ['that the country is not allowed', error(400, 21408), 'SmsRefused: refused: the text was refused for good (400, 21408)'],
  ['that it does not know us', error(401, 20003), 'SmsFailed: the text was not taken (401, 20003)'],
  ['that we may not', error(403, 20005), 'SmsFailed: the text was not taken (403, 20005)'],
  ['that there is no such account', error(404, 20404), 'SmsFailed: the text was not taken (404, 20404)'],
  ['that the number takes none, with a 404', error(404, 21610), 'SmsRefused: opted_out: the number takes no texts from us (21610)'],
  ['that it was too slow', error(408, 0), 'SmsFailed: the text was not taken (408, 0)'],
  ['that there were too many', error(429, 20429), 'SmsFailed: the text was not taken (429, 20429)'],
  ['that something broke', answering(500, '<h1>Oops</h1>'), 'SmsFailed: the text was not taken (500, 0)'],
  ['to come back later', error(503, 20503), 'SmsFailed: the text was not taken (503, 20503)'],
  [
    'to go elsewhere',
    (reply: ServerResponse) => reply.writeHead(307, { location: '/' }).end(),
    'SmsFailed: the text was not taken (no answer',
  ],
  ['nothing and cuts the line', (reply: ServerResponse) => reply.destroy(), 'SmsFailed: the text was not taken (no answer'],
])('the sender reports the right error when Twilio answers %s', async (_what, answer, outcome) => {
  const { api_base } = await fakeTwilio(answer);
  const result = await resultOf(api_base);
  expect(result).toContain(outcome);
  expect(result).not.toContain('2025550143');
});

test('an SMS is retried after a timeout and when Twilio is unreachable', async () => {
  const { api_base } = await fakeTwilio(() => {});
  expect(await resultOf(api_base, 50)).toBe('SmsFailed: the text was not taken (no answer, TimeoutError)');
  expect(await resultOf('http://127.0.0.1:1')).toMatch(/^SmsFailed: the text was not taken \(no answer/);
});
