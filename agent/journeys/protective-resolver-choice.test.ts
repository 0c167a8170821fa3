import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { expect, it, onTestFinished } from 'vitest';
import { startDnsFilter } from '../dns-filter/dns-filter.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { agentForTest, serverForTest } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { ask, blockAll, commandWithTls, queryFor, unusedPort, upstreamForTest } from '../testing/dns.ts';
import { testPin } from '../testing/server.ts';
import { networkAddress, serviceAddress, tlsServiceForTest } from '../testing/tls-dns.ts';
import { until } from '../testing/until.ts';

it('[P12.1] [P16.6] a resolver that cannot be reached for five minutes is a problem that names it, until it is back or no longer chosen', async () => {
  const [network, protective] = [await upstreamForTest(), await tlsServiceForTest()];
  const state = { resolver: protective.service as typeof protective.service | null, up: 5_000_000 };
  const filter = startDnsFilter({
    os: fakeOs(),
    plan: {
      ...{ command: () => commandWithTls(protective.tls), own: { address: '127.0.0.1', port: 0 }, page: null, system: false },
      upstream: [network.socketAddress],
    },
    rules: () => blockAll,
    money: () => null,
    openedSites: () => [],
    pausesYoung: () => false,
    remembered: { load: async () => null, add: () => {} },
    protectiveResolver: () => state.resolver,
    definitions: () => shippedRecognition(),
    sites: async () => null,
    onAttempt: () => {},
    isWanted: () => true,
    isUninstalling: async () => false,
    up: () => state.up,
    log: () => {},
  });
  onTestFinished(filter.close);
  const own = await until('it to listen', () => filter.state().own);
  const address = async (name: string) => (await ask(own, queryFor(name))).addresses[0];
  expect(await address('one.example')).toBe(serviceAddress);
  await protective.stop();
  expect(await address('two.example')).toBe(networkAddress);
  // The message of the filter's process may come a little after the answer, so time passes until it has come.
  await until('the outage', () => {
    state.up += 299_999;
    return filter.problems().length > 0;
  });
  expect(filter.problems()).toEqual(['Quad9 cannot be reached, so names are looked up in your network’s usual way.']);
  await protective.start();
  await until('the service to be back', () => filter.problems().length === 0);
  await protective.stop();
  expect(await address('three.example')).toBe(networkAddress);
  state.resolver = null;
  filter.changed();
  await until('the end of the problem', () => {
    state.up += 900_000;
    return filter.problems().length === 0;
  });
});

it('[P12.1] an agent looks up names at the resolver of the policy as soon as the policy arrives, also during a pause, and again at the network when the choice is taken back', async () => {
  const [server, network, protective] = [await serverForTest(), await upstreamForTest(), await tlsServiceForTest()];
  const own = { address: '127.0.0.1', port: await unusedPort() };
  const test = await agentForTest(server, {
    sites: { command: () => commandWithTls(protective.tls), own, page: null, system: false, upstream: [network.socketAddress] },
  });
  await test.linked();
  let count = 0;
  const isAnsweredBy = async (expected: string) =>
    (await ask(own, queryFor(`n${count++}.example`), 200).catch(() => null))?.addresses[0] === expected;
  await until('the network to answer', () => isAnsweredBy(networkAddress));
  server.setPolicy({ resolver: protective.service });
  await until('the service to answer', () => isAnsweredBy(serviceAddress));
  expect((await ask(own, queryFor('net.anydesk.com'))).addresses).toEqual(['0.0.0.0']);
  const browser = await browserOf(test);
  await browser.press('pause', { minutes: '10', pin: testPin, understood: 'yes' });
  await until('the end of blocking', async () => (await ask(own, queryFor('net.anydesk.com'))).addresses[0] === serviceAddress);
  expect(await isAnsweredBy(serviceAddress)).toBe(true);
  server.setPolicy({ resolver: null });
  await until('the network to answer again', () => isAnsweredBy(networkAddress));
});
