import { expect, test } from 'vitest';
import { comparedSecrets, wronglyCompared } from './compared-secrets.ts';

test.each([
  "if (given.token !== row.token) fail('x');",
  'const same = given.token ===\n  row.token;',
  'return session.proof === fields.get("proof");',
  'if (request.headers.authorization == right.secret) {',
  'const same = tokenHash(given) === stored;',
  'return row.code_hash.equals(given);',
  'if (a && webhookSecret !== other) return;',
  'return kept[name]?.signature === said;',
])('A12: a secret that is compared letter by letter is found: %s', (line) => {
  const { found } = comparedSecrets('x.ts', `// one\n${line}\n`);
  expect(found).toMatchObject([{ file: 'x.ts', line: 2 }]);
});

test.each([
  'if (token === null || key !== undefined) return;',
  "if (typeof signature === 'string') return;",
  "if (err.code === 'ENOENT') return;",
  'return timingSafeEqual(token, other);',
  'if (statusCode === 401) return;',
  'if (keyboard === mouse) return;',
  '// token === other',
  '/* token === other */',
  'const x = sameSecret(token, other);',
])('what gives nothing away is left alone: %s', (line) => {
  expect(comparedSecrets('x.ts', line).found).toEqual([]);
});

test('it counts the comparisons that it has read', () => {
  expect(comparedSecrets('x.ts', 'a === b; c !== d; e.equals(f);').looked).toBe(3);
});

test('A12: the gate names the place, and takes what is said to be no secret', () => {
  const sources: Record<string, string> = {
    'a.ts': 'x;\nreturn a.token === b;',
    'server/integrations/sms/twilio.ts': 'if (code === optedOut) x();',
  };
  const { wrong, looked } = wronglyCompared(Object.keys(sources), (file) => sources[file] ?? '');
  expect([wrong.length, looked]).toEqual([1, 2]);
  expect(wrong[0]).toMatch(/^a\.ts:2: "a\.token === b" compares letter by letter\./);
});
