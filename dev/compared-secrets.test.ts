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
])('A12: the check of secrets finds a comparison that is not in constant time: %s', (line) => {
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
])('the check of secrets ignores comparisons that reveal nothing: %s', (line) => {
  expect(comparedSecrets('x.ts', line).found).toEqual([]);
});

test('the check of secrets counts the comparisons that it has read', () => {
  expect(comparedSecrets('x.ts', 'a === b; c !== d; e.equals(f);').checked).toBe(3);
});

test('A12: the check of secrets names file and line of a wrong comparison, and accepts listed exceptions', () => {
  const sources: Record<string, string> = {
    'a.ts': 'x;\nreturn a.token === b;',
    'server/integrations/sms/twilio.ts': 'if (code === optedOutCode) x();',
  };
  const { wrong, checked } = wronglyCompared(Object.keys(sources), (file) => sources[file] ?? '');
  expect([wrong.length, checked]).toEqual([1, 2]);
  expect(wrong[0]).toMatch(/^a\.ts:2: "a\.token === b" compares letter by letter\./);
});
