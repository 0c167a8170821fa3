import { protectiveResolvers } from '@porchlight/contract/protective-resolvers.ts';
import { expect, it } from 'vitest';
import { resolverOutage } from './resolver-outage.ts';

const { quad9, cloudflare } = protectiveResolvers;
const copyOf = ({ name, host, addresses }: typeof quad9 | typeof cloudflare) => ({ name, host, addresses: [...addresses] });

it('[P12.1] an outage of the chosen resolver is a problem after five minutes, however often it is noted, until the resolver answers', () => {
  let up = 1000;
  const outage = resolverOutage(() => up);
  outage.use(copyOf(quad9));
  expect(outage.problem()).toBeNull();
  outage.note(quad9.host, false);
  up += 299_999;
  outage.note(quad9.host, false);
  expect(outage.problem()).toBeNull();
  up += 1;
  outage.use(copyOf(quad9));
  expect(outage.problem()).toContain('Quad9 cannot be reached');
  outage.note(quad9.host, true);
  expect(outage.problem()).toBeNull();
});

it.each([
  ['another resolver is chosen', (outage: ReturnType<typeof resolverOutage>) => outage.use(copyOf(cloudflare))],
  ['none is chosen', (outage: ReturnType<typeof resolverOutage>) => outage.use(null)],
  ['the process of the filter starts anew', (outage: ReturnType<typeof resolverOutage>) => outage.reset()],
])('[P12.1] an outage of a resolver is no problem any more when %s', (_what, change) => {
  let up = 0;
  const outage = resolverOutage(() => up);
  outage.use(copyOf(quad9));
  outage.note(quad9.host, false);
  up = 300_000;
  change(outage);
  // A late message about the former choice changes nothing.
  outage.note('dns.former.example', false);
  up += 300_000;
  expect(outage.problem()).toBeNull();
});
