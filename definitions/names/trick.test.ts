import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { shippedRecognition } from '../shipped.ts';
import { benignDomains, falsePositives, readSharedBytes, sharedDataIsThere } from '../testing/shared-data.ts';
import { compileNames } from './compile.ts';
import { innocentNames, trickNames } from './testing/names.ts';
import { trickIn } from './trick.ts';

const { names, money } = shippedRecognition([]);
const compiled = compileNames(names, money);
const shareOf = (hosts: string[]) => hosts.filter((host) => trickIn(host, compiled)).length / hosts.length;

test('the table has at least 120 tricks of the kinds that were reported from 2024 to 2026', () => {
  expect(new Set(trickNames.map(([host]) => host)).size).toBeGreaterThanOrEqual(120);
});

test.each(trickNames)('[P16.2] %s is a trick that imitates %s', (host, brand) => {
  expect(trickIn(host, compiled)?.brand).toBe(brand);
});

test.each(innocentNames)('[P16.2] %s is no trick', (host) => {
  expect(trickIn(host, compiled)).toBeNull();
});

describe('the sites that are theirs', () => {
  test('are no trick, and neither are their subdomains', () => {
    const theirs = [...names.brands, ...money].flatMap(({ domains }) => domains);
    expect(theirs.flatMap((host) => [host, `login.secure-account.${host}`]).filter((host) => trickIn(host, compiled))).toEqual([]);
  });

  test('are a trick once the set says of somebody else that they are the imitated ones', () => {
    const others = { ...names, brands: [{ name: 'Others', words: ['paypal'], discussed: [], ordinary: [], domains: ['others.example'] }] };
    expect(trickIn('paypal-login.com', compileNames(others, []))).toEqual({ brand: 'Others', why: 'hyphens' });
    expect(trickIn('usps-login.com', compileNames(others, []))).toBeNull();
  });
});

test.each([
  ['paypal.top', 'label'],
  ['usps-tracking.com', 'hyphens'],
  ['mycoinbasehelp.com', 'inside'],
  ['applesupportlogin.com', 'action'],
  ['paypa1.com', 'digits'],
  ['xn--pypal-4ve.com', 'look_alike'],
  ['xn--80ak6aa92e.com', 'look_alike'],
  ['netfliix.com', 'misspelled'],
  ['steamcomnunlty.ru', 'misspelled'],
  ['usps.com-trackbx.top', 'address'],
  ['ledger-wallet-verify.pages.dev', 'free_host'],
])('%s is found by its shape: %s', (host, why) => {
  expect(trickIn(host, compiled)?.why).toBe(why);
});

test('a money site that only the set knows is imitated too, under its own name', () => {
  const bank = [{ kind: 'bank' as const, domains: ['quillmorebank.com'] }];
  expect(trickIn('quillmorebank-login.com', compileNames(names, bank))?.brand).toBe('quillmorebank.com');
  expect(trickIn('quillmorebank-login.com', compiled)).toBeNull();
});

describe.skipIf(!sharedDataIsThere)('among real names', () => {
  test('no much visited one is a trick', () => {
    expect(benignDomains().filter((host) => trickIn(host, compiled))).toEqual([]);
  });

  test('none of those that lists carry and should not is a trick', () => {
    expect(falsePositives().filter((host) => trickIn(host, compiled))).toEqual([]);
  });

  test('at least 8 of 100 listed scams are tricks by their shape alone', { timeout: 120_000 }, () => {
    const listed = gunzipSync(readSharedBytes('scam-domains-public.txt.gz')).toString('utf8').trim().split('\n');
    const share = shareOf(listed.filter((_, at) => at % 20 === 0));
    console.log(`tricks by shape alone among listed scams: ${(share * 100).toFixed(1)} %`);
    expect(share).toBeGreaterThan(0.08);
  });
});
