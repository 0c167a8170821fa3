import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canaryAddress, isCanary } from '../lib/canary.ts';
import { replaceFile } from '../lib/replace-file.ts';
import type { SystemResolver } from '../os/port.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { blockAll } from '../testing/dns.ts';
import { commandWithoutSystem } from '../testing/dns-command.ts';
import { fakeSystem } from '../testing/fake-os.ts';
import { until } from '../testing/until.ts';
import { type DnsFilterPlan, startDnsFilter } from './dns-filter.ts';
import { dnsMessages } from './messages.ts';
import { redirect } from './redirect.ts';

function computer() {
  const state = { servers: ['192.168.1.1'], ours: false, refuses: '', ignores: false, passesBy: false, offline: false };
  const redirects: string[] = [];
  const calls = { again: 0 };
  const resolver: SystemResolver = {
    current: async () => (state.servers.length || state.ours ? { servers: state.servers, ours: state.ours } : null),
    async pointTo() {
      redirects.push(state.servers.join());
      if (state.refuses) throw new Error(state.refuses);
      state.ours = !state.ignores;
    },
    async resolve(name) {
      if (state.offline) return { address: null, failed: true };
      return { address: state.ours && !state.passesBy && isCanary(name) ? canaryAddress : null, failed: false };
    },
    askFirstAgain: async () => void calls.again++,
    async restore() {
      state.ours = false;
    },
  };
  return { state, behind: redirects, calls, resolver };
}

function redirected({ resolver }: ReturnType<typeof computer>) {
  const logLines: string[] = [];
  const network = redirect({
    resolver,
    isUninstalling: async () => false,
    servers: () => {},
    log: (sentence) => void logLines.push(sentence),
    isListening: () => true,
    messages: dnsMessages,
  });
  onTestFinished(network.close);
  return { network, said: logLines };
}

/** A DNS filter that the computer's DNS settings lead to, over a change of the network. */
async function overNetworkChange(upstream: DnsFilterPlan['upstream']): Promise<string[]> {
  const { state, behind, resolver } = computer();
  const filter = startDnsFilter({
    os: { ...fakeSystem(), resolver: () => resolver },
    plan: { command: commandWithoutSystem, own: { address: '127.0.0.1', port: 0 }, page: null, system: true, upstream },
    rules: () => blockAll,
    money: () => null,
    openedSites: () => [],
    pausesYoung: () => false,
    remembered: { load: async () => null, add: () => {} },
    protectiveResolver: () => null,
    up: () => performance.now(),
    definitions: () => null,
    sites: async () => null,
    onAttempt: () => {},
    log: () => {},
    isWanted: () => true,
    isUninstalling: async () => false,
  });
  onTestFinished(filter.close);
  await until('names to be ours', () => state.ours, 60_000);
  state.servers = ['10.9.9.9'];
  await until('the next network behind us', () => behind.at(-1) === '10.9.9.9', 60_000);
  return behind;
}

it('[P4.7] in a new network its DNS servers become the upstreams of the filter', async () => {
  expect(await overNetworkChange(null)).toEqual(['192.168.1.1', '10.9.9.9']);
});

it("[P4.7] with upstreams given on the command line, the DNS servers of a new network are still the system's fallback", async () => {
  expect((await overNetworkChange([{ address: '192.0.2.9', port: 53 }])).at(-1)).toBe('10.9.9.9');
});

it('the DNS settings are changed once for each network', async () => {
  const { state, behind, ...rest } = computer();
  const { network } = redirected({ state, behind, ...rest });
  await network.pointTo('127.0.0.1');
  for (const servers of [['192.168.1.1'], [], ['192.168.1.1'], ['10.9.9.9'], []]) {
    state.servers = servers;
    for (let n = 0; n < 2; n++) await network.look();
  }
  expect(behind).toEqual(['192.168.1.1', '10.9.9.9']);
});

it('DNS settings left by an earlier run are written again, because their network may have changed', async () => {
  const { state, behind, ...rest } = computer();
  state.ours = true;
  const { network } = redirected({ state, behind, ...rest });
  await network.pointTo('127.0.0.1');
  await network.look();
  expect(behind).toEqual(['192.168.1.1']);
});

it('a failed redirect is retried, and its problem disappears once it succeeds', async () => {
  const deps = computer();
  deps.state.refuses = 'busy';
  const { network, said } = redirected(deps);
  await network.pointTo('127.0.0.1');
  expect(network.problem()).toContain('busy');
  [deps.state.ours, deps.state.refuses] = [true, ''];
  await until('no problem', async () => (await network.look(), network.problem() === null), 10_000);
  await until('the sentence that sites are blocked', () => said.length > 1);
  expect(said).toEqual([dnsMessages.notAllowed('busy'), dnsMessages.pointed]);
  [deps.state.ours, deps.state.refuses] = [false, 'busy'];
  await until('a second failure', async () => (await network.look(), network.problem() !== null), 10_000);
  deps.state.refuses = '';
  await until('names to be ours', async () => (await network.look(), deps.state.ours), 10_000);
  await network.look();
  expect(network.problem()).toBeNull();
});

it('a resolv.conf that cannot be replaced is logged once, however often that is tried, and another reason is logged again', async () => {
  const deps = computer();
  // A folder in the place of the file refuses to be replaced, as an immutable file does, for any user and in any container.
  const etc = join(await temporaryFolder(), 'etc');
  const file = join(etc, 'resolv.conf');
  await mkdir(file, { recursive: true });
  let attempts = 0;
  const refusing = async () => {
    attempts++;
    await replaceFile(file, 'nameserver 127.0.0.1');
  };
  const { network, said } = redirected({ ...deps, resolver: { ...deps.resolver, pointTo: refusing } });
  for (let n = 0; n < 3; n++) await network.pointTo('127.0.0.1');
  expect([attempts, said]).toEqual([3, [expect.stringContaining(`rename '${file}'`)]]);
  await rm(etc, { recursive: true });
  for (let n = 0; n < 2; n++) await network.pointTo('127.0.0.1');
  expect(said.slice(1)).toEqual([expect.stringContaining(`no such file or directory, open '${file}'`)]);
});

it('a redirect without effect is retried at growing intervals, and reported as a problem', async () => {
  const deps = computer();
  deps.state.ignores = true;
  const { network, said } = redirected(deps);
  await network.pointTo('127.0.0.1');
  for (let n = 0; n < 50; n++) await network.look();
  expect(deps.behind).toHaveLength(1);
  await until('a sentence', () => network.problem() !== null, 10_000);
  expect(deps.behind.length).toBeLessThan(4);
  expect(said).toContain(dnsMessages.notAllowed(dnsMessages.overruled));
  deps.state.ignores = false;
  // An explicit call of `pointTo` resets the backoff.
  await network.pointTo('127.0.0.1');
  await network.look();
  expect(network.problem()).toBeNull();
});

it('names that go past the filter, although the settings lead to it, are noticed, mended and made public until they reach it again', async () => {
  const deps = computer();
  const { network, said } = redirected(deps);
  await network.pointTo('127.0.0.1');
  await until('names to reach us', () => said.length > 0);
  deps.state.passesBy = true;
  await until('a sentence', async () => (await network.look(), network.problem() !== null));
  expect([network.problem(), deps.calls.again]).toEqual([dnsMessages.passedBy, 1]);
  for (let n = 0; n < 50; n++) await network.look();
  // A restart of the system's resolver costs all programs their lookups for a moment.
  expect(deps.calls.again).toBe(1);
  deps.state.passesBy = false;
  await until('no problem', async () => (await network.look(), network.problem() === null));
  expect([said, deps.behind.length]).toEqual([[dnsMessages.pointed, dnsMessages.passedBy, dnsMessages.pointed], 1]);
});

it('a computer that can look up no name at all is not one whose names go past the filter', async () => {
  const deps = computer();
  deps.state.offline = true;
  const { network, said } = redirected(deps);
  await network.pointTo('127.0.0.1');
  for (let n = 0; n < 50; n++) await network.look();
  expect([said, network.problem(), deps.calls.again]).toEqual([[], null, 0]);
  deps.state.offline = false;
  await until('names to reach us', async () => (await network.look(), said.length > 0));
  expect(said).toEqual([dnsMessages.pointed]);
});

it('DNS settings are not changed before there are any, and are changed as soon as there are', async () => {
  const deps = computer();
  deps.state.servers = [];
  const { network, said } = redirected(deps);
  await network.pointTo('127.0.0.1');
  for (let n = 0; n < 5; n++) await network.look();
  expect([deps.behind, said, network.problem()]).toEqual([[], [], null]);
  deps.state.servers = ['10.9.9.9'];
  await network.look();
  expect(deps.behind).toEqual(['10.9.9.9']);
});
