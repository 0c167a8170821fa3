// Tier: whole. It cuts a real network.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minute } from '@porchlight/contract/time.ts';
import { describe, expect, it, test } from 'vitest';
import type { AgentDeps } from '../agent.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { agentForTest, serverForTest, type TestAgent, temporaryFolder } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { isolationFor } from '../testing/isolation.ts';
import { ownNetwork, ownRun, requireNftables } from '../testing/own-network.ts';
import type { TestServer } from '../testing/server.ts';
import { trialResults } from '../testing/trial-results.ts';
import { until } from '../testing/until.ts';

/** A process in place of the DNS filter, which these tests do not need. */
const silentFilter = () => [
  ...[process.execPath, '-e', "process.on('message', () => {}); process.once('disconnect', () => process.exit());", '--'],
];
const sites: AgentDeps['sites'] = {
  ...{ command: silentFilter, own: { address: '127.0.0.1', port: 0 }, page: null, system: true },
  upstream: [{ address: '192.0.2.9', port: 53 }],
};
const advance = ({ clock }: TestAgent, ms: number) => {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
};

async function linkedAgent(overrides: Partial<AgentDeps> = {}) {
  const [server, os] = [await serverForTest(), fakeOs()];
  const test = await agentForTest(server, { os, sites, ...overrides });
  await test.linked();
  return { server, os, test };
}
const again = (server: TestServer, { os, folder, clock }: TestAgent) => agentForTest(server, { os, folder, clock, sites });
/** The agent has taken in the newest policy when it polls with its version. */
const inForce = (server: TestServer) => until('the policy', () => server.policy_in_force === server.policy.version);
const isolated = ({ os }: TestAgent) => until('the cut', () => os.isolated);
const restored = ({ os }: TestAgent) => until('the end', () => !os.isolated);

describe('[P10.6] an isolation', () => {
  it('lets only the server pass, is shown, and ends with the policy', async () => {
    const { server, test } = await linkedAgent();
    expect(test.agent.isolation.state()).toBeNull();
    const change = isolationFor(10 * minute, { may_end: true });
    server.setPolicy(change);
    await isolated(test);
    expect(test.os.isolated).toEqual({ servers: [{ address: '127.0.0.1', port: Number(new URL(server.url).port) }], ms: 10 * minute });
    await until('the state', () => test.agent.isolation.state());
    expect(test.agent.isolation.state()).toEqual({ by: 'Anna', until: new Date(test.clock.now.getTime() + 10 * minute), may_end: true });
    expect(test.logLines.join()).toContain('Anna cut the internet on this computer.');
    server.setPolicy({ isolation: null });
    await restored(test);
    await until('no state', () => !test.agent.isolation.state());
  });

  it.each([
    ['back', -24 * 60 * minute],
    ['forward', 24 * 60 * minute],
  ])('ends in time although the clock is set %s, and does not begin again', async (_way, shift) => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute));
    await isolated(test);
    test.clock.now = new Date(test.clock.now.getTime() + shift);
    test.clock.up += 10 * minute;
    await restored(test);
    server.setPolicy({ device_name: 'PC' });
    await inForce(server);
    expect([test.os.isolated, test.os.isolations]).toEqual([null, 1]);
  });

  it('begins once, ends sooner when a newer policy shortens it, and a second one begins after it', async () => {
    const { server, test } = await linkedAgent();
    const { isolation } = isolationFor(10 * minute);
    server.setPolicy({ issued: new Date().toISOString(), isolation });
    await isolated(test);
    server.setPolicy({ issued: new Date(Date.parse(isolation.until) - minute).toISOString() });
    await inForce(server);
    expect(test.os.isolations).toBe(1);
    advance(test, minute);
    await restored(test);
    server.setPolicy(isolationFor(minute));
    await isolated(test);
  });

  it('goes on for the rest of its time after a restart, and not after the computer was off for longer', async () => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute));
    await isolated(test);
    advance(test, 4 * minute);
    await test.close();
    expect(test.os.isolated).toBeNull();
    advance(test, minute);
    const second = await again(server, test);
    await isolated(second);
    expect(second.os.isolated?.ms).toBe(5 * minute);
    await second.close();
    second.clock.now = new Date(second.clock.now.getTime() + 5 * minute);
    Object.assign(second.clock, { up: 30_000, boot: 'second' });
    const third = await again(server, second);
    await until('a poll', () => server.calls.at(-1) === 'POST /agent/changes');
    await third.close();
    expect(third.os.isolations).toBe(2);
  });

  it('that a former agent left behind is removed at the start', async () => {
    const os = fakeOs();
    os.isolated = { servers: [], ms: 1 };
    await restored(await agentForTest(await serverForTest(), { os, sites }));
  });

  it('goes on while a successor takes over', async () => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute));
    await isolated(test);
    await test.agent.stepBack();
    expect(test.os.isolated).not.toBeNull();
  });

  it('ends when the user ends it where that is allowed, which is reported, and stays ended after a restart', async () => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute, { may_end: true }));
    await isolated(test);
    await until('the state', () => test.agent.isolation.state());
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('Anna cut the internet here, to keep you safe.');
    expect((await browser.press('reconnect')).text).toContain('The internet is on again.');
    expect([test.os.isolated, test.agent.isolation.state()]).toEqual([null, null]);
    await until('the report', () => server.events.length > 0);
    expect(server.events.map(({ reported }) => reported)).toEqual([{ kind: 'reconnected' }]);
    await test.agent.isolation.end();
    await test.close();
    const second = await again(server, test);
    server.setPolicy({ device_name: 'PC' });
    await inForce(server);
    await second.close();
    expect([second.os.isolations, server.events.length]).toEqual([1, 1]);
  });

  it('is not ended by the user where that is not allowed', async () => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute));
    await isolated(test);
    await expect(test.agent.isolation.end()).rejects.toThrow('Only the person who cut the internet can end this.');
    expect(test.os.isolated).not.toBeNull();
    expect(server.events).toEqual([]);
  });

  it('ends when the account removes the computer', async () => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute));
    await isolated(test);
    server.setMood('removed');
    await restored(test);
  });

  it('ends while the computer is being uninstalled, and goes on if that is cancelled', async () => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute));
    await isolated(test);
    await test.store.beginUninstall(test.clock.now.getTime());
    await restored(test);
    await test.store.cancelUninstall();
    await isolated(test);
  });

  it('of a policy that was stored days ago, but never came into force, does not begin', async () => {
    const { server, test } = await linkedAgent();
    server.setPolicy(isolationFor(10 * minute));
    await isolated(test);
    await test.close();
    await test.store.isolation.save(null);
    advance(test, 48 * 60 * minute);
    await server.down();
    const second = await again(server, test);
    await until('the restart', () => second.logLines.length > 0);
    await second.close();
    expect(second.os.isolations).toBe(1);
  });

  it('that cannot be is reported as a problem, and nothing is shown as cut', async () => {
    const os = fakeOs();
    os.cannotIsolate = 'The internet cannot be cut here, because nftables is missing.';
    const { server, test } = await linkedAgent({ os });
    await until('the problem', () => server.problems.includes(os.cannotIsolate ?? ''));
    server.setPolicy(isolationFor(10 * minute));
    await until('the sentence', () => test.logLines.includes(os.cannotIsolate ?? ''));
    expect([os.isolations, test.agent.isolation.state()]).toEqual([0, null]);
  });

  it('of an agent that does not run for the whole computer is reported as a problem while it is wanted', async () => {
    const { server, test } = await linkedAgent({ sites: null });
    const sentence = 'The internet cannot be cut here, because this program does not run for the whole computer.';
    server.setPolicy(isolationFor(10 * minute));
    await until('the sentence', () => test.logLines.includes(sentence));
    expect([test.os.isolations, test.agent.isolation.state()]).toEqual([0, null]);
    test.agent.showWindow();
  });
});

test('[P10.6] a real agent cuts the internet within two seconds but for its server, and nothing stays cut: not at the end, after a kill, a stop or an uninstall', async (context) => {
  requireNftables(context);
  const folder = await temporaryFolder();
  const [conf, hosts] = [join(folder, 'resolv.conf'), join(folder, 'hosts')];
  writeFileSync(conf, 'nameserver 192.0.2.53\noptions timeout:1 attempts:1\n');
  writeFileSync(hosts, '127.0.0.1 localhost\n');
  const trial = fileURLToPath(new URL('../testing/isolation-trial.ts', import.meta.url));
  const script = `${ownRun} && mount --bind "$0" /etc/resolv.conf && mount --bind "$1" /etc/hosts && shift && exec "$@"`;
  const [command = '', ...args] = ownNetwork;
  const results = await trialResults([command, ...args, 'sh', '-c', script, conf, hosts, process.execPath, trial, folder]);
  const all = { other: true, server: true, loopback: true, lookup: true, open: true, inbound: true, port: true };
  const none = { other: false, lookup: false, open: false, inbound: false, port: false };
  expect(results.before).toEqual(all);
  expect(results['cut after']).toBeLessThan(2000);
  expect(results.during).toEqual({ ...all, ...none });
  expect(results['back after null']).toBeLessThan(2000);
  expect(results.afterwards).toEqual(all);
  expect(results['tables afterwards']).toBe('');
  for (const command of ['flush ruleset', 'delete table inet porchlight_isolation', 'flush chain inet porchlight_isolation output']) {
    const [ms, isCut] = results[command] as [number, boolean];
    expect(ms, command).toBeLessThan(2000);
    expect(isCut, command).toBe(true);
  }
  expect(results['not longer when cut again']).toBeGreaterThanOrEqual(-1);
  expect(results['not longer when cut again']).toBeLessThan(5);
  expect(results['reports while nothing can be cut']).toEqual([
    [true, 1],
    [false, 3],
  ]);
  expect(results['the last report']).toEqual([true, 4]);
  expect(results['at the end']).toBeGreaterThan(2900);
  expect(results['at the end']).toBeLessThan(3000 + 2000);

  expect(results['cut without an agent']).toBe(true);
  expect(results['back without an agent']).toBeGreaterThan(3900);
  expect(results['back without an agent']).toBeLessThan(4000 + 2000);
  expect(results['rules without an agent']).toBe('table inet porchlight_isolation');
  expect(results['cut after the restart']).toEqual([true, true]);
  expect(results['not longer']).toBeGreaterThanOrEqual(-1);
  expect(results['not longer']).toBeLessThan(5);
  expect(results.stopped).toBe(0);
  expect(results['back after the stop']).toEqual([true, '']);
  expect(results.uninstalled).toEqual([0, 'Internet settings are back to normal. Porchlight can be removed now.\n']);
  expect(results['back after the uninstall']).toEqual([true, '']);
  expect(results['back at last']).toEqual([true, '']);

  const watched = results.watched as Record<string, { attempts: number; failures: string[] }>;
  for (const name of ['server', 'loopback']) {
    expect(watched[name]?.failures, name).toEqual([]);
    expect(watched[name]?.attempts, name).toBeGreaterThan(100);
  }
}, 180_000);
