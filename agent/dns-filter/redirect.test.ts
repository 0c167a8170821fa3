import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { fakeSystem } from '../testing/fake-os.ts';
import { blockAll } from '../testing/names.ts';
import { until } from '../testing/until.ts';
import { startDnsFilter } from './dns-filter.ts';
import { dnsMessages } from './messages.ts';
import { redirect } from './redirect.ts';

/** A computer whose setting stays ours once it is; what stood behind us at each time it was set. */
function computer() {
  const state = { servers: ['192.168.1.1'], ours: false, refuses: '', ignores: false };
  const behind: string[] = [];
  const resolver = {
    current: async () => ({ servers: state.servers, ours: state.ours }),
    async pointTo() {
      behind.push(state.servers.join());
      if (state.refuses) throw new Error(state.refuses);
      state.ours = !state.ignores;
    },
    async restore() {
      state.ours = false;
    },
  };
  return { state, behind, resolver };
}

function redirected({ resolver }: ReturnType<typeof computer>) {
  const said: string[] = [];
  const network = redirect({
    resolver,
    leaving: async () => false,
    servers: () => {},
    log: (sentence) => void said.push(sentence),
    words: dnsMessages,
  });
  onTestFinished(network.close);
  return { network, said };
}

it('[P4.7] DNS servers of a new network become our upstreams while queries keep arriving', async () => {
  const { state, behind, resolver } = computer();
  const os = { ...fakeSystem(), resolver: () => resolver };
  const script = fileURLToPath(new URL('../dns-filter.ts', import.meta.url));
  const filter = startDnsFilter({
    os,
    plan: {
      command: () => [process.execPath, script, '-'],
      own: { address: '127.0.0.1', port: 0 },
      page: null,
      system: true,
      upstream: null,
    },
    rules: () => blockAll,
    definitions: () => null,
    sites: async () => null,
    tried: () => {},
    log: () => {},
    leaving: async () => false,
  });
  onTestFinished(filter.close);
  await until('names to be ours', () => state.ours, 10_000);
  state.servers = ['10.9.9.9'];
  await until('the next network behind us', () => behind.at(-1) === '10.9.9.9', 10_000);
  expect(behind).toEqual(['192.168.1.1', '10.9.9.9']);
});

it('[P4.7] DNS servers of a new network do not replace upstreams from the command line, and stand behind us', async () => {
  const { state, behind, resolver } = computer();
  const os = { ...fakeSystem(), resolver: () => resolver };
  const script = fileURLToPath(new URL('../dns-filter.ts', import.meta.url));
  const filter = startDnsFilter({
    os,
    plan: {
      command: () => [process.execPath, script, '-'],
      own: { address: '127.0.0.1', port: 0 },
      page: null,
      system: true,
      upstream: [{ address: '192.0.2.9', port: 53 }],
    },
    rules: () => blockAll,
    definitions: () => null,
    sites: async () => null,
    tried: () => {},
    log: () => {},
    leaving: async () => false,
  });
  onTestFinished(filter.close);
  await until('names to be ours', () => state.ours, 10_000);
  state.servers = ['10.9.9.9'];
  await until('the next network behind us', () => behind.at(-1) === '10.9.9.9', 10_000);
});

it('the resolver is set once for each network, and unchanged between networks', async () => {
  const { state, behind, ...rest } = computer();
  const { network } = redirected({ state, behind, ...rest });
  await network.pointTo('127.0.0.1');
  for (const servers of [['192.168.1.1'], [], ['192.168.1.1'], ['10.9.9.9'], []]) {
    state.servers = servers;
    for (let n = 0; n < 2; n++) await network.look();
  }
  expect(behind).toEqual(['192.168.1.1', '10.9.9.9']);
});

it('resolver settings of an earlier run are written again, because their network may be gone', async () => {
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
  // It has come about all the same, without us.
  [deps.state.ours, deps.state.refuses] = [true, ''];
  await until('no problem', async () => (await network.look(), network.problem() === null), 10_000);
  expect(said).toEqual([dnsMessages.notAllowed('busy'), dnsMessages.pointed]);
  [deps.state.ours, deps.state.refuses] = [false, 'busy'];
  await until('a second failure', async () => (await network.look(), network.problem() !== null), 10_000);
  deps.state.refuses = '';
  await until('names to be ours', async () => (await network.look(), deps.state.ours), 10_000);
  await network.look();
  expect(network.problem()).toBeNull();
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
  // Asked for anew, it waits for nothing.
  await network.pointTo('127.0.0.1');
  await network.look();
  expect(network.problem()).toBeNull();
});
