import { expect, test } from 'vitest';
import { answerFor } from './answers.ts';

const ask = (method: string, path: string, known = true) =>
  answerFor({
    ...{ method, path: `/2010-04-01/Accounts/AC1${path}`, account_sid: 'AC1', from: '+15005550006', known },
    inbound_url: 'https://x.example/api/texts/inbound',
    form: new URLSearchParams(),
    blocked: () => false,
  });

test('the account is described to its token alone, and cannot be written', () => {
  expect(ask('GET', '.json')).toEqual({ status: 200, body: { sid: 'AC1', status: 'active', type: 'Full' }, resource: null });
  expect(ask('GET', '.json', false)).toMatchObject({ status: 401, body: { code: 20003 } });
  expect(ask('POST', '.json')).toMatchObject({ status: 405 });
});

test("the account's number is found by the number and says where incoming messages go; another number is not found", () => {
  const numbers = (number: string) => ask('GET', `/IncomingPhoneNumbers.json?PhoneNumber=${encodeURIComponent(number)}`);
  expect(numbers('+15005550006')).toMatchObject({
    status: 200,
    body: { incoming_phone_numbers: [{ phone_number: '+15005550006', sms_url: 'https://x.example/api/texts/inbound' }] },
  });
  expect(numbers('+15005550007')).toMatchObject({ status: 200, body: { incoming_phone_numbers: [] } });
});

test('the messages of an account can be posted and not read', () => {
  expect(ask('GET', '/Messages.json')).toMatchObject({ status: 405 });
  expect(ask('GET', '/Unknown.json')).toMatchObject({ status: 404 });
});
