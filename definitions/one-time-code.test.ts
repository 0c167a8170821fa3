import { createHmac } from 'node:crypto';
import { type OneTimeCodeVector, oneTimeCodeVectors } from '@porchlight/contract/one-time-code-vectors.ts';
import { codePurpose, oneTimeCodes, readOneTimeCode, windowOf } from '@porchlight/contract/one-time-codes.ts';
import { describe, expect, test } from 'vitest';
import { findOneTimeCode, oneTimeCode, truncatedMac } from './one-time-code.ts';

const codeOf = ({ secret, window, number, ...subject }: Omit<OneTimeCodeVector, 'code'>) => oneTimeCode(secret, subject, window, number);
const [first = { secret: '', device: '', purpose: 'pause', program: '', window: 0, number: 0, code: '' } as OneTimeCodeVector] =
  oneTimeCodeVectors;
const { window } = first;
const find = (typed: string, windows: number[], changed: Partial<OneTimeCodeVector> = {}) => {
  const { secret, device, purpose, program } = { ...first, ...changed };
  return findOneTimeCode(secret, { device, purpose, program }, typed, windows);
};

test('[P10.7] the vectors of the contract have every purpose', () => {
  expect(new Set(oneTimeCodeVectors.map(({ purpose }) => purpose))).toEqual(new Set(codePurpose.options));
  expect(oneTimeCodeVectors.length).toBeGreaterThanOrEqual(12);
});

test.each(oneTimeCodeVectors)('[P10.7] the code for $purpose $program in window $window with number $number is $code', (vector) => {
  expect(codeOf(vector)).toBe(vector.code);
});

test.each([
  { secret: `B${first.secret.slice(1)}` },
  { device: first.device.replace(/^./, 'a') },
  { purpose: 'link' },
  { program: 'anydesk' },
  { window: window - 1 },
  { number: 2 },
] satisfies Partial<OneTimeCodeVector>[])('[P10.7] a change of one part gives another code: %o', (changed) => {
  expect(codeOf({ ...first, ...changed })).not.toBe(codeOf(first));
});

test('[P10.7] no two codes of a device in three windows are equal, as their parts are separated', () => {
  const codes = codePurpose.options.flatMap((purpose) =>
    [window - 1, window, window + 1].flatMap((inWindow) =>
      Array.from({ length: oneTimeCodes.per_window }, (_, number) => codeOf({ ...first, purpose, window: inWindow, number })),
    ),
  );
  expect(new Set(codes).size).toBe(120);
  // Without separators these would be computed over the same text.
  expect(codeOf({ ...first, window: 1, number: 23 })).not.toBe(codeOf({ ...first, window: 12, number: 3 }));
});

describe('[P10.7] finding a typed code', () => {
  test.each([0, oneTimeCodes.per_window - 1])('a code with number %i is found with its window', (number) => {
    const code = codeOf({ ...first, number });
    expect(find(code, [window - 1, window, window + 1])).toEqual({ window, number });
  });

  test('a code is found in the first and the last of the given windows, and in no other', () => {
    expect(find(first.code, [window, window + 1])).toEqual({ window, number: 0 });
    expect(find(first.code, [window - 1, window])).toEqual({ window, number: 0 });
    expect(find(first.code, [window - 2, window - 1, window + 1, window + 2])).toBeNull();
    expect(find(first.code, [])).toBeNull();
  });

  test('a code is found neither for another purpose, program, device nor secret', () => {
    const others = [{ purpose: 'link' }, { program: 'anydesk' }, { device: 'another' }, { secret: `B${first.secret.slice(1)}` }] as const;
    for (const changed of others) expect(find(first.code, [window], changed)).toBeNull();
  });

  test('a code with a number that is never given out is not found', () => {
    expect(find(codeOf({ ...first, number: oneTimeCodes.per_window }), [window])).toBeNull();
  });

  test('text that is no code is not found', () => {
    for (const typed of ['', '2971505', '297150500', first.code.replace('2', '３')]) expect(find(typed, [window])).toBeNull();
  });
});

describe('RFC 4226, appendix D: the truncation of HMAC-SHA-1 with the secret 12345678901234567890', () => {
  test.each([
    ['cc93cf18508d94934c64b65d8ba7667fb7cde4b0', 1284755224],
    ['75a48a19d4cbe100644e8ac1397eea747a2d33ab', 1094287082],
    ['0bacb7fa082fef30782211938bc1c5e70416ff44', 137359152],
    ['66c28227d03a2d5529262ff016a1e6ef76557ece', 1726969429],
    ['a904c900a64b35909874b33e61c5938a8e15ed1c', 1640338314],
    ['a37e783d7b7233c083d4f62926c7a25f238d0316', 868254676],
    ['bc9cd28561042c83f219324d3c607256c03272ae', 1918287922],
    ['a4fb960c0bc06e1eabb804e5b397cdc4b45596fa', 82162583],
    ['1b3c89f65e6c9e883012052823443f048b4332db', 673399871],
    ['1637409809a679dc698207310c8c7fc07290d9e5', 645520489],
  ])('%s is truncated to %i', (mac, truncated) => {
    expect(truncatedMac(Buffer.from(mac, 'hex'))).toBe(truncated);
  });

  test('the truncated number of the first counter gives the code of the RFC', () => {
    const mac = createHmac('sha1', '12345678901234567890').update(Buffer.alloc(8)).digest();
    expect(truncatedMac(mac) % 1_000_000).toBe(755224);
  });
});

test('[P10.7] a code is read with the spaces and dashes that people type, and a PIN is none', () => {
  for (const typed of ['29715050', '2971 5050', ' 2971-5050 ', first.code]) expect(readOneTimeCode(typed)).toBe('29715050');
  for (const typed of ['297150', '297150500', '2971505o', '']) expect(readOneTimeCode(typed)).toBeNull();
});

test('[P10.7] windows are ten minutes long and begin at 1970', () => {
  expect([windowOf(0), windowOf(599_999), windowOf(600_000)]).toEqual([0, 0, 1]);
  expect(windowOf(Date.parse('2026-11-20T00:09:59.999Z'))).toBe(windowOf(Date.parse('2026-11-20T00:00:00Z')));
});
