import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { macNetwork, type StandInService } from '../../testing/mac-network.ts';
import { macos } from './macos.ts';

/** A Mac at home on Wi-Fi, with another network set by hand that is not plugged in, and one that is switched off. */
async function mac(more: Record<string, StandInService> = {}) {
  const { services, native } = macNetwork({
    ...more,
    'Wi-Fi': { manual: [], given: ['192.168.1.1'] },
    'USB LAN': { manual: ['192.0.2.53', '2001:db8::53'], given: [] },
    'Thunderbolt Bridge': { manual: [], given: [], off: true },
  });
  const folder = await temporaryFolder();
  const names = join(folder, 'names.json');
  const places = { console: join(folder, 'console'), show: join(folder, 'show'), names };
  const manual = () => Object.fromEntries(Object.entries(services).map(([name, service]) => [name, service.manual]));
  const changes = () => native.ran.filter((line) => line.includes('-setdnsservers'));
  /** Another run of us each time: it knows what stands in the file and on the Mac. */
  return { services, native, names, manual, changes, resolver: () => macos(native, { root: true, places }).resolver() };
}

test('each network service lists this computer first, then its former DNS servers', async () => {
  const { manual, resolver } = await mac();
  expect(await resolver().current()).toEqual({ servers: ['192.168.1.1'], ours: false });
  await resolver().pointTo('127.0.0.1');
  expect(manual()).toEqual({
    'Wi-Fi': ['127.0.0.1', '192.168.1.1'],
    'USB LAN': ['127.0.0.1', '192.0.2.53', '2001:db8::53'],
    // It has no network and so nobody behind us: it is set when it has one.
    'Thunderbolt Bridge': [],
  });
  expect(await resolver().current()).toEqual({ servers: ['192.168.1.1'], ours: true });
});

test('[P4.7] in another network its own servers are asked, and stand behind us', async () => {
  const { services, manual, changes, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  services['Wi-Fi'] = { ...(services['Wi-Fi'] as StandInService), given: ['10.9.9.9', 'fe80::1%en0', '10.9.9.8', '10.9.9.7'] };
  expect(await resolver().current()).toEqual({ servers: ['10.9.9.9', 'fe80::1%en0', '10.9.9.8', '10.9.9.7'], ours: false });
  const before = changes().length;
  await resolver().pointTo('127.0.0.1');
  expect(manual()['Wi-Fi']).toEqual(['127.0.0.1', '10.9.9.9', '10.9.9.8']);
  expect(changes()).toHaveLength(before + 1);
  expect((await resolver().current()).ours).toBe(true);
});

test('a VPN’s servers are asked while it is the way out, and stand behind us in no other network', async () => {
  const { services, manual, changes, resolver } = await mac({ 'Work VPN': { manual: [], given: [], hidden: true } });
  const vpn = services['Work VPN'] as StandInService;
  const before = manual();
  vpn.given = ['10.8.0.1'];
  await resolver().pointTo('127.0.0.1');
  expect(await resolver().current()).toEqual({ servers: ['10.8.0.1'], ours: true });
  expect(manual()).toMatchObject({ 'Work VPN': [], 'Wi-Fi': ['127.0.0.1', '192.168.1.1'] });
  const set = changes().length;
  await resolver().pointTo('127.0.0.1');
  expect(changes()).toHaveLength(set);
  vpn.given = [];
  expect(await resolver().current()).toEqual({ servers: ['192.168.1.1'], ours: true });
  await resolver().restore();
  expect(manual()).toEqual(before);
});

test('no resolver setting changes between two networks', async () => {
  const { services, manual, changes, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  const [wifi, set] = [services['Wi-Fi'] as StandInService, changes().length];
  wifi.given = [];
  expect((await resolver().current()).ours).toBe(true);
  await resolver().pointTo('127.0.0.1');
  expect(manual()['Wi-Fi']).toEqual(['127.0.0.1', '192.168.1.1']);
  expect(changes()).toHaveLength(set);
});

test('what a person sets by hand meanwhile is theirs: it stands behind us, and is given back', async () => {
  const { services, manual, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  (services['Wi-Fi'] as StandInService).manual = ['9.9.9.9'];
  expect(await resolver().current()).toEqual({ servers: ['9.9.9.9'], ours: false });
  await resolver().pointTo('127.0.0.1');
  expect(manual()['Wi-Fi']).toEqual(['127.0.0.1', '9.9.9.9']);
  await resolver().restore();
  expect(manual()['Wi-Fi']).toEqual(['9.9.9.9']);
});

test('it is given back as it was, also after it was taken twice and for a network that is set up no more', async () => {
  const { services, manual, names, resolver } = await mac();
  const before = manual();
  for (let n = 0; n < 2; n++) await resolver().pointTo('127.0.0.1');
  expect(JSON.parse(readFileSync(names, 'utf8'))).toEqual({ 'Wi-Fi': [], 'USB LAN': before['USB LAN'] });
  delete services['USB LAN'];
  for (let n = 0; n < 2; n++) await resolver().restore();
  expect(manual()).toEqual({ 'Wi-Fi': [], 'Thunderbolt Bridge': [] });
  expect(existsSync(names)).toBe(false);
});

test.each([
  ['the list of networks cannot be read', '-listallnetworkservices'],
  ['one network cannot be set', 'Empty'],
])('[P4.6] the way back is known until all of it is gone: when %s it is tried again', async (_what, failing) => {
  const { native, manual, names, resolver } = await mac();
  const before = manual();
  await resolver().pointTo('127.0.0.1');
  const { run } = native;
  native.run = async (program, args, input) => (args.includes(failing) ? { code: 1, out: '' } : run(program, args, input));
  await expect(resolver().restore()).rejects.toThrow('did not take back');
  expect(existsSync(names)).toBe(true);
  native.run = run;
  await resolver().restore();
  expect(manual()).toEqual(before);
});

test.each([
  ['scutil fails', (program: string) => program.endsWith('scutil') && { code: 1, out: '' }],
  ['scutil says nothing', (program: string) => program.endsWith('scutil') && { code: 0, out: '' }],
  ['networksetup lists nothing', (_program: string, args: string[]) => args.includes('-listallnetworkservices') && { code: 0, out: '\n' }],
  [
    'networksetup cannot read',
    (_program: string, args: string[]) => args.some((arg) => /^-[lg]/.test(arg)) && { code: 5, out: '** Error' },
  ],
])('what was before is never taken for nothing: when %s nothing is changed', async (_what, answer) => {
  const { native, manual, names, resolver } = await mac();
  const before = manual();
  const { run } = native;
  native.run = async (program, args, input) => answer(program, args) || run(program, args, input);
  await expect(resolver().pointTo('127.0.0.1')).rejects.toThrow();
  expect(manual()).toEqual(before);
  expect(existsSync(names)).toBe(false);
  // Nothing was changed, and so nothing is to be put back.
  await resolver().restore();
});

test('what was kept stands in a file that a later version of us reads', async () => {
  const { services, manual, names, resolver } = await mac();
  (services['USB LAN'] as StandInService).manual = ['127.0.0.1', '192.0.2.53'];
  writeFileSync(names, JSON.stringify({ 'USB LAN': ['192.0.2.53'], 'Wi-Fi': [] }));
  await resolver().restore();
  expect(manual()).toMatchObject({ 'USB LAN': ['192.0.2.53'], 'Wi-Fi': [] });
});

test('[P4.6] where what was kept is lost, what stands there of us is taken away all the same', async () => {
  const { manual, names, resolver } = await mac();
  await resolver().pointTo('127.0.0.1');
  rmSync(names);
  await resolver().pointTo('127.0.0.1');
  await resolver().restore();
  expect(manual()['Wi-Fi']).toEqual([]);
});

test('without a network nothing is stored or changed', async () => {
  const { services, changes, names, resolver } = await mac();
  for (const service of Object.values(services)) Object.assign(service, { manual: [], given: [] });
  await resolver().pointTo('127.0.0.1');
  expect(await resolver().current()).toEqual({ servers: [], ours: true });
  expect(changes()).toEqual([]);
  expect(existsSync(names)).toBe(false);
});
