import type { PolicyId } from '@porchlight/contract/policies.ts';
import { protectiveResolvers, type ResolverChoice } from '@porchlight/contract/protective-resolvers.ts';
import { expect, test } from 'vitest';
import { browsingPolicy } from './document.ts';

const own = '11111111-1111-4111-8111-111111111111';

const browserTable: [profile: PolicyId, plan: boolean, choice: boolean, expected: boolean][] = [
  ['strict', true, true, true],
  ['strict', true, false, false],
  ['strict', false, true, false],
  ['strict', false, false, false],
  ['permissive', true, true, false],
  ['permissive', true, false, false],
  ['permissive', false, true, false],
  [own, true, true, false],
  [own, true, false, false],
  [own, false, true, false],
];

test.each(browserTable)(
  '[P12.2] the policy of a device with the profile %s, a plan: %s, and browsers protected by choice: %s has browsers: %s',
  (profile, plan, browsers, expected) => {
    expect(
      browsingPolicy({ browsers, resolver: 'network', notification_origins: [], resolver_chosen: false }, profile, plan).browsers,
    ).toBe(expected);
  },
);

const quad9 = { name: 'Quad9', host: 'dns.quad9.net', addresses: ['9.9.9.9', '149.112.112.112', '2620:fe::fe', '2620:fe::9'] };
const cloudflare = {
  name: 'Cloudflare for Families',
  host: 'security.cloudflare-dns.com',
  addresses: ['1.1.1.2', '1.0.0.2', '2606:4700:4700::1112', '2606:4700:4700::1002'],
};
const resolverTable: [choice: ResolverChoice, expected: object | null][] = [
  ['network', null],
  ['quad9', quad9],
  ['cloudflare', cloudflare],
];

test.each(resolverTable)(
  '[P12.1] the policy of a family that chose %s has that resolver, in every profile and on the free plan',
  (choice, expected) => {
    for (const profile of ['strict', 'permissive', own] as const) {
      for (const plan of [true, false]) {
        expect(
          browsingPolicy({ browsers: true, resolver: choice, notification_origins: [], resolver_chosen: false }, profile, plan).resolver,
        ).toEqual(expected);
      }
    }
  },
);

test('the table of expected resolvers covers every choice', () => {
  expect(resolverTable.map(([choice]) => choice)).toEqual(['network', ...Object.keys(protectiveResolvers)]);
});
