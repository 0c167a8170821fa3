import { createSocket } from 'node:dgram';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { expect, it, onTestFinished } from 'vitest';
import { type DnsFilterPlan, startDnsFilter } from '../dns-filter/dns-filter.ts';
import { fakeOs } from '../os/fake/fake.ts';
import type { SiteAttempt } from '../ports.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { ask, blockAll, queryFor, upstreamForTest } from '../testing/dns.ts';
import { commandWithoutSystem } from '../testing/dns-command.ts';
import { until } from '../testing/until.ts';

async function start(plan: Partial<DnsFilterPlan> = {}) {
  const upstream = await upstreamForTest();
  const os = fakeOs();
  os.hosts_file = join(await temporaryFolder(), 'hosts');
  await writeFile(os.hosts_file, '127.0.0.1 localhost\n');
  const logLines: string[] = [];
  const tried: SiteAttempt[] = [];
  const inForce = { rules: blockAll as typeof blockAll | null, set: shippedRecognition(), list: ['evil.test'] };
  const filter = startDnsFilter({
    os,
    plan: {
      command: commandWithoutSystem,
      own: { address: '127.0.0.1', port: 0 },
      page: null,
      system: false,
      upstream: [upstream.socketAddress],
      ...plan,
    },
    rules: () => inForce.rules,
    money: () => null,
    openedSites: () => [],
    pausesYoung: () => false,
    remembered: { load: async () => null, add: () => {} },
    protectiveResolver: () => null,
    up: () => performance.now(),
    definitions: () => inForce.set,
    sites: async () => buildSiteList(inForce.list),
    onAttempt: (one) => void tried.push(one),
    isWanted: () => true,
    isUninstalling: async () => false,
    log: (sentence) => void logLines.push(sentence),
  });
  let open = true;
  const close = async () => {
    if (open) await filter.close();
    open = false;
  };
  onTestFinished(close);
  const listening = () => until('it to listen', () => filter.state().own);
  const address = async (name: string) => (await ask(await listening(), queryFor(name))).addresses[0];
  return { filter, os, said: logLines, tried, inForce, upstream, listening, address, close };
}

it('[P4.8] the DNS filter applies a policy change at once, and loses no query meanwhile', async () => {
  const { filter, inForce, address, tried } = await start();
  expect([await address('evil.test'), await address('fresh.test')]).toEqual(['0.0.0.0', '192.0.2.1']);
  const startedAt = Date.now();
  inForce.list = ['fresh.test'];
  inForce.set = { ...inForce.set };
  filter.changed();
  while ((await address('fresh.test')) !== '0.0.0.0') expect(Date.now() - startedAt).toBeLessThan(3000);
  expect(await address('evil.test')).toBe('192.0.2.1');
  expect(filter.state().names).toBe(1);
  inForce.rules = null;
  filter.changed();
  while ((await address('fresh.test')) !== '192.0.2.1') expect(Date.now() - startedAt).toBeLessThan(6000);
  expect(tried).toEqual([
    { site: 'evil.test', blocked: true, definition: null },
    { site: 'fresh.test', blocked: true, definition: null },
  ]);
});

it('a killed DNS filter is restarted at once with the rules and definitions in force', async () => {
  const { filter, listening, address } = await start();
  await listening();
  const { pid } = filter.state();
  process.kill(pid ?? 0, 'SIGKILL');
  await until('another one', () => filter.state().pid !== pid && filter.state().own);
  expect(await address('www.evil.test')).toBe('0.0.0.0');
});

it('a hanging DNS filter is killed and restarted', async () => {
  const { filter, listening, address } = await start();
  await listening();
  const { pid } = filter.state();
  process.kill(pid ?? 0, 'SIGSTOP');
  await until('another one', () => filter.state().pid !== pid && filter.state().own, 15_000);
  expect(await address('evil.test')).toBe('0.0.0.0');
});

it("an agent started by hand does not change the system's DNS settings", async () => {
  const { os, listening, close } = await start();
  await listening();
  await close();
  expect(os.dns.ours).toBeNull();
  expect(await readFile(os.hosts_file, 'utf8')).toBe('127.0.0.1 localhost\n');
});

it('the DNS filter redirects DNS, again after a network change, and restores the settings when it ends', async () => {
  const { os, upstream, listening, address, close } = await start({ system: true, upstream: null });
  os.dns.servers = [`127.0.0.1:${upstream.socketAddress.port}`];
  await listening();
  await until('names to be ours', () => os.dns.ours === '127.0.0.1');
  await until('an answer of the network', async () => (await address('one.example')) === '192.0.2.1');
  const nextUpstream = await upstreamForTest();
  nextUpstream.answer = () => ({ addresses: ['10.1.1.1'] });
  os.dns = { servers: [`127.0.0.1:${nextUpstream.socketAddress.port}`], ours: null };
  await until('names to be ours again', () => os.dns.ours === '127.0.0.1');
  expect(await address('one.example')).toBe('10.1.1.1');
  await close();
  expect(os.dns.ours).toBeNull();
});

it('with port 53 taken the hosts file blocks the best-known sites, and is restored later', async () => {
  const otherSocket = createSocket('udp4');
  await new Promise<void>((resolve) => otherSocket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void otherSocket.close());
  const { os, said, filter, inForce, close } = await start({
    system: true,
    own: { address: '127.0.0.1', port: otherSocket.address().port },
  });
  const hosts = () => readFile(os.hosts_file, 'utf8');
  await until('the hosts file', async () => (await hosts()).includes('0.0.0.0 net.anydesk.com\n'));
  expect(await hosts()).toContain(':: www.net.anydesk.com\n');
  expect((await hosts()).endsWith('127.0.0.1 localhost\n')).toBe(true);
  expect(said.join()).toContain('Another program is already using');
  expect(filter.problems()).toHaveLength(1);
  expect(os.dns.ours).toBeNull();
  inForce.rules = { ...blockAll, allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] };
  filter.changed();
  await until('the exception', async () => !(await hosts()).includes(' net.anydesk.com'));
  await close();
  expect(await hosts()).toBe('127.0.0.1 localhost\n');
});

it('a DNS filter that keeps crashing is given up: DNS is restored and a problem reported', async () => {
  const { os, said } = await start({ system: true, command: () => [process.execPath, '-e', '0', '-'] });
  os.dns.ours = '127.0.0.1';
  await until('names to be put back', () => os.dns.ours === null);
  expect(said.join()).toContain('keeps stopping');
});
