import { describe, expect, it, test } from 'vitest';
import { type DoorFinding, detectDoors } from './detectors/doors.ts';

type DoorState = Parameters<typeof detectDoors>[0];

/** An ordinary computer: all doors are closed. */
const closed: DoorState = {
  remote_desktop: false,
  remote_shell: false,
  screen_sharing: false,
  remote_assistance: false,
  administrators: ['ann', 'root'],
  hosts_file: { entries: ['127.0.0.1 localhost', '::1 localhost'] },
  dns_changed_by_others: [],
  proxy: '',
  own_service: 'on',
  own_files: 'stamp-1',
};
const unknown = Object.fromEntries(Object.keys(closed).map((key) => [key, null])) as unknown as DoorState;
const hosts = (...entries: string[]) => ({ hosts_file: { entries } });
const blocked = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `0.0.0.0 ads-${from + n}.example.com`);

type Row = [title: string, before: Partial<DoorState>, now: Partial<DoorState>, details: string | null, ours?: boolean];

function table(door: DoorFinding['door'], rows: Row[]) {
  it.each(rows)(`${door}: %s`, (_title, before, now, details, ours) => {
    const findings = detectDoors({ ...closed, ...before }, { ...closed, ...now }, ours);
    expect(findings.map((one) => [one.door, one.details])).toEqual(details === null ? [] : [[door, details]]);
  });
}

describe('a door that was opened', () => {
  for (const door of ['remote_desktop', 'remote_shell', 'screen_sharing', 'remote_assistance'] as const)
    table(door, [
      ['off, then on, is found', { [door]: false }, { [door]: true }, ''],
      ['on both times is not found', { [door]: true }, { [door]: true }, null],
      ['on, then off, is not found', { [door]: true }, { [door]: false }, null],
      ['off both times is not found', { [door]: false }, { [door]: false }, null],
      ['unreadable, then on, is not found', { [door]: null }, { [door]: true }, null],
      ['unreadable, then off, is not found', { [door]: null }, { [door]: false }, null],
      ['off, then unreadable, is not found', { [door]: false }, { [door]: null }, null],
      ['on, then unreadable, is not found', { [door]: true }, { [door]: null }, null],
      ['unreadable both times is not found', { [door]: null }, { [door]: null }, null],
      ['opened during our own update is found', { [door]: false }, { [door]: true }, '', true],
    ]);

  table('administrator', [
    ['a new one is found', {}, { administrators: ['ann', 'helper', 'root'] }, 'helper'],
    ['two new ones are one finding', {}, { administrators: ['ann', 'helper', 'root', 'support'] }, 'helper, support'],
    ['one who replaces another is found', {}, { administrators: ['helper', 'root'] }, 'helper'],
    ['the first one is found', { administrators: [] }, { administrators: ['ann'] }, 'ann'],
    ['a removed one is not found', {}, { administrators: ['root'] }, null],
    ['the same in another order are not found', {}, { administrators: ['root', 'ann'] }, null],
    ['a repeated name is not found', {}, { administrators: ['ann', 'ann', 'root'] }, null],
    ['an unreadable list before is not found', { administrators: null }, { administrators: ['helper'] }, null],
    ['an unreadable list afterwards is not found', {}, { administrators: null }, null],
    ['a name with control characters is shown without them', {}, { administrators: ['ann', 'root', 'x\u001b[2J\n\u202ey'] }, 'x [2J y'],
  ]);

  const local = ['127.0.0.1 localhost', '::1 localhost'];
  table('hosts_file', [
    ['a bank with another address is found', {}, hosts(...local, '203.0.113.9 www.bank.com'), 'www.bank.com'],
    ['a bank with an IPv6 address is found', {}, hosts(...local, '2001:db8::9 www.bank.com'), 'www.bank.com'],
    ['both addresses of a name show it once', {}, hosts(...local, '203.0.113.9 bank.com', '2001:db8::9 bank.com'), 'bank.com'],
    ['a blocked virus scanner is found', {}, hosts(...local, '0.0.0.0 update.scanner.com'), 'update.scanner.com'],
    ['a virus scanner blocked by loopback is found', {}, hosts(...local, '127.0.0.1 update.scanner.com'), 'update.scanner.com'],
    ['a bank among a list of blocked names is found', hosts(...blocked(1990)), hosts('203.0.113.9 bank.com', ...blocked(1990)), 'bank.com'],
    ['an address outside of the private ranges is found', {}, hosts(...local, '172.32.0.1 bank.com'), 'bank.com'],
    ['a new address of a name is found', hosts('203.0.113.1 bank.com'), hosts('203.0.113.2 bank.com'), 'bank.com'],
    [
      'Docker’s own names are not found',
      {},
      hosts(...local, '192.168.1.5 host.docker.internal', '127.0.0.1 kubernetes.docker.internal'),
      null,
    ],
    ['a new list of 2,000 blocked advertisers is not found', {}, hosts(...local, ...blocked(1998)), null],
    ['an update of such a list is not found', hosts(...blocked(1000)), hosts(...blocked(1000, 7)), null],
    ['a printer at home is not found', {}, hosts(...local, '192.168.1.20 printer.mynetwork.com'), null],
    ['a server behind a VPN is not found', {}, hosts(...local, '10.8.0.1 files.company.com', 'fd00::1 files.company.com'), null],
    ['a name without a dot is not found', {}, hosts(...local, '203.0.113.9 nas'), null],
    ['the computer’s own new name is not found', {}, hosts(...local, '127.0.1.1 anns-laptop.fritz.box'), null],
    ['a removed line is not found', hosts(...local, '203.0.113.9 bank.com'), hosts(...local), null],
    ['lines in another order are not found', hosts(...local), hosts(...local.toReversed()), null],
    ['an unreadable file before is not found', { hosts_file: null }, hosts('203.0.113.9 bank.com'), null],
    ['an unreadable file afterwards is not found', {}, { hosts_file: null }, null],
  ]);

  const dns = (...servers: string[]) => ({ dns_changed_by_others: servers });
  table('dns', [
    ['a first server by hand is found', {}, dns('203.0.113.53'), '203.0.113.53'],
    ['another server is found', dns('9.9.9.9'), dns('203.0.113.53'), '203.0.113.53'],
    ['one more server is found', dns('9.9.9.9'), dns('203.0.113.53', '9.9.9.9'), '203.0.113.53'],
    ['two new servers are one finding', {}, dns('203.0.113.53', '203.0.113.54'), '203.0.113.53, 203.0.113.54'],
    ['an IPv6 server is found', {}, dns('2001:db8::53'), '2001:db8::53'],
    ['servers of DHCP in another network, which are not listed, are not found', {}, {}, null],
    ['a removed server is not found', dns('9.9.9.9'), dns(), null],
    ['the same servers in another order are not found', dns('9.9.9.9', '1.1.1.1'), dns('1.1.1.1', '9.9.9.9'), null],
    ['unreadable settings before are not found', { dns_changed_by_others: null }, dns('203.0.113.53'), null],
    ['unreadable settings afterwards are not found', dns('9.9.9.9'), { dns_changed_by_others: null }, null],
  ]);

  table('proxy', [
    ['a first proxy is found', {}, { proxy: '203.0.113.8:8080' }, '203.0.113.8:8080'],
    ['another proxy is found', { proxy: '10.0.0.1:3128' }, { proxy: '203.0.113.8:8080' }, '203.0.113.8:8080'],
    ['another port is found', { proxy: '10.0.0.1:3128' }, { proxy: '10.0.0.1:3129' }, '10.0.0.1:3129'],
    ['a script is found', {}, { proxy: 'http://203.0.113.8/wpad.dat' }, 'http://203.0.113.8/wpad.dat'],
    ['the same proxy is not found', { proxy: '10.0.0.1:3128' }, { proxy: '10.0.0.1:3128' }, null],
    ['a removed proxy is not found', { proxy: '10.0.0.1:3128' }, { proxy: '' }, null],
    ['no proxy both times is not found', { proxy: '' }, { proxy: '' }, null],
    ['an unreadable setting before is not found', { proxy: null }, { proxy: '203.0.113.8:8080' }, null],
    ['an unreadable setting afterwards is not found', { proxy: '10.0.0.1:3128' }, { proxy: null }, null],
    ['unreadable, then none, is not found', { proxy: null }, { proxy: '' }, null],
  ]);

  table('own_service', [
    ['on, then off, is found', {}, { own_service: 'off' }, ''],
    ['switched off during our own update is found', {}, { own_service: 'off' }, '', true],
    ['on both times is not found', {}, { own_service: 'on' }, null],
    ['off both times is not found', { own_service: 'off' }, { own_service: 'off' }, null],
    ['off, then on, is not found', { own_service: 'off' }, { own_service: 'on' }, null],
    ['unreadable, then off, is not found', { own_service: null }, { own_service: 'off' }, null],
    ['unreadable, then on, is not found', { own_service: null }, { own_service: 'on' }, null],
    ['on, then unreadable, is not found', {}, { own_service: null }, null],
    ['off, then unreadable, is not found', { own_service: 'off' }, { own_service: null }, null],
    ['unreadable both times is not found', { own_service: null }, { own_service: null }, null],
  ]);

  table('own_files', [
    ['another stamp is found', {}, { own_files: 'stamp-2' }, ''],
    ['deleted files are found', {}, { own_files: '' }, ''],
    ['an update of our own is not found', {}, { own_files: 'stamp-2' }, null, true],
    ['files deleted by our own uninstaller are not found', {}, { own_files: '' }, null, true],
    ['the same stamp is not found', {}, {}, null],
    ['the same stamp during our own update is not found', {}, {}, null, true],
    ['unreadable, then a stamp, is not found', { own_files: null }, { own_files: 'stamp-2' }, null],
    ['a stamp, then unreadable, is not found', {}, { own_files: null }, null],
    ['unreadable both times is not found', { own_files: null }, { own_files: null }, null],
    ['unreadable, then a stamp, during our own update is not found', { own_files: null }, { own_files: 'stamp-2' }, null, true],
  ]);
});

test('all doors opened at once are one finding each, with names for users, and only five can be closed', () => {
  const open: DoorState = {
    ...{ remote_desktop: true, remote_shell: true, screen_sharing: true, remote_assistance: true },
    ...{ administrators: ['ann', 'helper', 'root'], hosts_file: { entries: ['203.0.113.9 bank.com'] } },
    ...{ dns_changed_by_others: ['203.0.113.53'], proxy: '203.0.113.8:8080', own_service: 'off', own_files: 'stamp-2' },
  };
  const findings = detectDoors(closed, open);
  expect(findings.map(({ match }) => match.identifier)).toEqual([
    ...['door-remote-desktop', 'door-remote-shell', 'door-screen-sharing', 'door-remote-assistance', 'door-administrator'],
    ...['door-hosts-file', 'door-dns', 'door-proxy', 'door-own-service', 'door-own-files'],
  ]);
  for (const { kind, match } of findings) expect([kind, match.name.length > 5 && match.name.length <= 80]).toEqual(['door', true]);
  expect(findings.flatMap(({ closable }) => closable ?? [])).toEqual([
    ...[{ door: 'remote_desktop' }, { door: 'remote_shell' }, { door: 'screen_sharing' }],
    { door: 'hosts_file', entries: ['203.0.113.9 bank.com'] },
    { door: 'own_service' },
  ]);
  expect([detectDoors(open, closed), detectDoors(unknown, open), detectDoors(closed, unknown)]).toEqual([
    // Going back to the former names and servers is no danger, but the stamp differs.
    [expect.objectContaining({ door: 'own_files' })],
    [],
    [],
  ]);
});

test('only the added lines of the hosts file that are a finding are to be removed', () => {
  const now = {
    ...closed,
    ...hosts('127.0.0.1 localhost', '203.0.113.9 bank.com', '192.168.1.5 host.docker.internal', '203.0.113.9 mail.com'),
  };
  expect(detectDoors(closed, now).map(({ closable }) => closable)).toEqual([
    { door: 'hosts_file', entries: ['203.0.113.9 bank.com', '203.0.113.9 mail.com'] },
  ]);
});

test('details are at most 300 characters long and count what is left out', () => {
  const now = { ...closed, administrators: Array.from({ length: 500 }, (_, n) => `helper-${n}`) };
  const [found] = detectDoors(closed, now);
  expect(found?.details).toMatch(/^helper-0, helper-1, .*, and 4\d\d more$/);
  expect(found?.details.length).toBeLessThanOrEqual(300);
  const [long] = detectDoors(closed, { ...closed, proxy: 'x'.repeat(5000) });
  expect(long?.details.length).toBeLessThanOrEqual(300);
});
