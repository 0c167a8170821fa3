import { expect, test } from 'vitest';
import { framesOf, loggableError } from './loggable-error.ts';
import { scrub } from './scrub.ts';

test.each([
  ['550 5.1.1 <ann.lee+x@example.org>: unknown', '550 5.1.1 <[address]>: unknown'],
  ['to=ann@example.org, bob@example.org', 'to=[address], [address]'],
  ['the number +1 (202) 555-0143 is not valid', 'the number [number] is not valid'],
  ['call 2025550143 now', 'call [number] now'],
  ['invalid input syntax for type uuid: "Ann"', 'invalid input syntax for type uuid: "…"'],
  ['a value "Ann "the boss" Lee" is wrong', 'a value "…" is wrong'],
  ['a value "Ann Lee', 'a value "…"'],
  ["Unexpected token 'J', it isn't JSON, 'tis all", "Unexpected token '…', it isn't JSON, 'tis all"],
  ['« Ann Lee » est faux', '"…" est faux'],
  ['GET https://me:secret@example.org/a/list.txt?token=abc#x failed', 'GET https://example.org/a/list.txt failed'],
  ['Bearer q1w2e3r4t5y6u7i8o9p0a1s2', 'Bearer [secret]'],
  ['id 7c9e6679-7425-40de-944b-e07fc1f90ae7', 'id [secret]'],
])('the text %s is logged as %s', (text, logged) => {
  expect(scrub(text)).toBe(logged);
});

test.each([
  'connect ECONNREFUSED 127.0.0.1:5432',
  'the certificate ends on 2026-11-21',
  'SELF_SIGNED_CERT_IN_CHAIN and STRIPE_WEBHOOK_SECRET',
  'node_modules/porchlight/server/features/definitions',
  'the mail server did not take it (550 5.1.1 at RCPT TO)',
  "it doesn't answer, and the others can't",
])('the text %s, which is about no person, is logged as it is', (text) => {
  expect(scrub(text)).toBe(text);
});

test('a long text is cut, however long it is, without much time', () => {
  const begin = performance.now();
  expect(scrub(`${'a '.repeat(50_000)}`).length).toBe(501);
  expect(scrub(`${"'a".repeat(50_000)}`).length).toBeLessThan(502);
  expect(scrub('a@'.repeat(50_000)).length).toBeLessThan(502);
  expect(scrub('1'.repeat(100_000)).length).toBeLessThan(502);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

test('the log shows the class, the code and the places of an unknown error, and neither its message nor its other fields', () => {
  const err = Object.assign(new Error('Ann Lee\n    at Ann (/home/ann/x.ts:1:1)'), { code: 'ESOMETHING', input: 'Ann Lee', status: 500 });
  const logged = loggableError(err);
  expect({ ...logged, stack: [] }).toEqual({ type: 'Error', code: 'ESOMETHING', status: 500, stack: [] });
  expect(logged.stack?.[0]).toContain('scrub.test.ts');
  expect(JSON.stringify(logged)).not.toContain('Ann');
});

test('a message of Node.js is logged without what it quotes', () => {
  const messageOf = (work: () => unknown) => {
    try {
      work();
      return null;
    } catch (err) {
      return loggableError(err).message;
    }
  };
  const missing = undefined as unknown as Record<string, string>;
  expect(messageOf(() => missing['ann@example.org'])).toBe('Cannot read properties of undefined');
  expect(messageOf(() => JSON.parse('Ann Lee'))).toBeUndefined();
  expect(messageOf(() => new URL('Ann Lee'))).toBe('Invalid URL');
});

test('a code that is a sentence or an address is not logged', () => {
  for (const code of ['ann@example.org', '+12025550143', 'q1w2e3r4t5y6u7i8o9p0a1s2', 'x'.repeat(65)])
    expect(loggableError(Object.assign(new Error('x'), { code }))).not.toHaveProperty('code');
});

test('a thing that is no error is logged as its type alone, and causes are followed three deep', () => {
  expect(loggableError('Ann Lee')).toEqual({ type: 'string' });
  const endless = new Error('x');
  endless.cause = endless;
  expect(JSON.stringify(loggableError(endless)).match(/"type"/g)).toHaveLength(4);
});

test('an error whose stack was replaced by words has no frames', () => {
  expect(framesOf(Object.assign(new Error('x'), { stack: 'Ann Lee\n at home with (Ann)' }))).toEqual([]);
});
