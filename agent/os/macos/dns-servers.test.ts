import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { type FakeNetworkService, macNetwork } from '../../testing/mac-network.ts';
import { macos } from './macos.ts';

/** A Mac on Wi-Fi, with an unplugged network with manual DNS servers, and a disabled network. */
async function mac(extraServices: Record<string, FakeNetworkService> = {}) {
  const { services, native } = macNetwork({
    ...extraServices,
    'Wi-Fi': { manual: [], given: ['192.168.1.1'] },
    'USB LAN': { manual: ['192.0.2.53', '2001:db8::53'], given: [] },
    'Thunderbolt Bridge': { manual: [], given: [], off: true },
  });
  const folder = await temporaryFolder();
  const names = join(folder, 'names.json');
  const macPaths = { console: join(folder, 'console'), show: join(folder, 'show'), dnsFile: names };
  const manual = () => Object.fromEntries(Object.entries(services).map(([name, service]) => [name, service.manual]));
  const changes = () => native.ran.filter((line) => line.includes('-setdnsservers'));
  /** `resolver` returns a new instance each time, with only the stored file. */
  return { services, native, names, manual, changes, resolver: () => macos(native, { root: true, paths: macPaths }).resolver() };
}

test('each network service of a Mac asks this computer first, then its former DNS servers', async () => {
  const { manual, resolver } = await mac();
  expect(await resolver().current()).toEqual({ servers: ['192.168.1.1'], ours: false });
  await resolver().pointTo('127.0.0.1');
  expect(manual()).toEqual({
    'Wi-Fi': ['127.0.0.1', '192.168.1.1'],
    'USB LAN': ['127.0.0.1', '192.0.2.53', '2001:db8::53'],
    // This service has no upstream servers yet, so it is not changed.
    'Thunderbolt Bridge': [],
  });
  expect(await resolver().current()).toEqual({ servers: ['192.168.1.1'], ours: true });
});

test('[P4.7] in a new network its own DNS servers become the upstreams', async () => {
  const { services, manual, changes, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  services['Wi-Fi'] = { ...(services['Wi-Fi'] as FakeNetworkService), given: ['10.9.9.9', 'fe80::1%en0', '10.9.9.8', '10.9.9.7'] };
  expect(await resolver().current()).toEqual({ servers: ['10.9.9.9', 'fe80::1%en0', '10.9.9.8', '10.9.9.7'], ours: false });
  const changeCount = changes().length;
  await resolver().pointTo('127.0.0.1');
  expect(manual()['Wi-Fi']).toEqual(['127.0.0.1', '10.9.9.9', '10.9.9.8']);
  expect(changes()).toHaveLength(changeCount + 1);
  expect((await resolver().current())?.ours).toBe(true);
});

test('a VPN’s DNS servers are upstreams only while the VPN is the default route', async () => {
  const { services, manual, changes, resolver } = await mac({ 'Work VPN': { manual: [], given: [], hidden: true } });
  const vpn = services['Work VPN'] as FakeNetworkService;
  const manualBefore = manual();
  vpn.given = ['10.8.0.1'];
  await resolver().pointTo('127.0.0.1');
  expect(await resolver().current()).toEqual({ servers: ['10.8.0.1'], ours: true });
  expect(manual()).toMatchObject({ 'Work VPN': [], 'Wi-Fi': ['127.0.0.1', '192.168.1.1'] });
  const changeCount = changes().length;
  await resolver().pointTo('127.0.0.1');
  expect(changes()).toHaveLength(changeCount);
  vpn.given = [];
  expect(await resolver().current()).toEqual({ servers: ['192.168.1.1'], ours: true });
  await resolver().restore();
  expect(manual()).toEqual(manualBefore);
});

test('no DNS setting of a Mac changes while no network is connected', async () => {
  const { services, manual, changes, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  const [wifi, changeCount] = [services['Wi-Fi'] as FakeNetworkService, changes().length];
  wifi.given = [];
  expect((await resolver().current())?.ours).toBe(true);
  await resolver().pointTo('127.0.0.1');
  expect(manual()['Wi-Fi']).toEqual(['127.0.0.1', '192.168.1.1']);
  expect(changes()).toHaveLength(changeCount);
});

test('DNS servers that a user sets meanwhile become upstreams, and are restored', async () => {
  const { services, manual, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  (services['Wi-Fi'] as FakeNetworkService).manual = ['9.9.9.9'];
  expect(await resolver().current()).toEqual({ servers: ['9.9.9.9'], ours: false });
  await resolver().pointTo('127.0.0.1');
  expect(manual()['Wi-Fi']).toEqual(['127.0.0.1', '9.9.9.9']);
  await resolver().restore();
  expect(manual()['Wi-Fi']).toEqual(['9.9.9.9']);
});

test('the former DNS servers of a Mac are restored, also after repeated changes and when a network was removed', async () => {
  const { services, manual, names, resolver } = await mac();
  const manualBefore = manual();
  for (let n = 0; n < 2; n++) await resolver().pointTo('127.0.0.1');
  expect(JSON.parse(readFileSync(names, 'utf8'))).toEqual({ 'Wi-Fi': [], 'USB LAN': manualBefore['USB LAN'] });
  delete services['USB LAN'];
  for (let n = 0; n < 2; n++) await resolver().restore();
  expect(manual()).toEqual({ 'Wi-Fi': [], 'Thunderbolt Bridge': [] });
  expect(existsSync(names)).toBe(false);
});

test.each([
  ['the list of networks cannot be read', '-listallnetworkservices'],
  ['one network cannot be set', 'Empty'],
])('[P4.6] when %s, restoring the DNS servers fails, keeps the stored servers and can be retried', async (_failure, failingArg) => {
  const { native, manual, names, resolver } = await mac();
  const manualBefore = manual();
  await resolver().pointTo('127.0.0.1');
  const { run } = native;
  native.run = async (program, args, input) => (args.includes(failingArg) ? { code: 1, out: '' } : run(program, args, input));
  await expect(resolver().restore()).rejects.toThrow('did not take back');
  expect(existsSync(names)).toBe(true);
  native.run = run;
  await resolver().restore();
  expect(manual()).toEqual(manualBefore);
});

test.each([
  ['scutil fails', (program: string) => program.endsWith('scutil') && { code: 1, out: '' }],
  ['scutil says nothing', (program: string) => program.endsWith('scutil') && { code: 0, out: '' }],
  ['networksetup lists nothing', (_program: string, args: string[]) => args.includes('-listallnetworkservices') && { code: 0, out: '\n' }],
  [
    'networksetup cannot read',
    (_program: string, args: string[]) => args.some((arg) => /^-[lg]/.test(arg)) && { code: 5, out: '** Error' },
  ],
])('when %s, the former DNS servers count as unknown and nothing is changed', async (_failure, answer) => {
  const { native, manual, names, resolver } = await mac();
  const manualBefore = manual();
  const { run } = native;
  native.run = async (program, args, input) => answer(program, args) || run(program, args, input);
  await expect(resolver().pointTo('127.0.0.1')).rejects.toThrow();
  expect(manual()).toEqual(manualBefore);
  expect(existsSync(names)).toBe(false);
  await resolver().restore();
});

test('stored DNS servers are restored, without this computer’s own address', async () => {
  const { services, manual, names, resolver } = await mac();
  (services['USB LAN'] as FakeNetworkService).manual = ['127.0.0.1', '192.0.2.53'];
  writeFileSync(names, JSON.stringify({ 'USB LAN': ['192.0.2.53'], 'Wi-Fi': [] }));
  await resolver().restore();
  expect(manual()).toMatchObject({ 'USB LAN': ['192.0.2.53'], 'Wi-Fi': [] });
});

test('[P4.6] when the stored DNS servers are lost, this computer’s address is still removed from the settings', async () => {
  const { manual, names, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  rmSync(names);
  await resolver().pointTo('127.0.0.1');
  await resolver().restore();
  expect(manual()['Wi-Fi']).toEqual([]);
});

test('on a Mac without a network no DNS setting is stored or changed', async () => {
  const { services, changes, names, resolver } = await mac();
  for (const service of Object.values(services)) Object.assign(service, { manual: [], given: [] });
  await resolver().pointTo('127.0.0.1');
  expect(await resolver().current()).toEqual({ servers: [], ours: true });
  expect(changes()).toEqual([]);
  expect(existsSync(names)).toBe(false);
});
