import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../../testing/until.ts';
import { assistance, computer, ownKey, stopped, terminal } from '../../../testing/windows-computer.ts';
import { safeModeKey, servicesKey } from '../own-service.ts';
import { startTypes } from '../services/services.ts';
import { switchedOffKey } from '../services/switched-off.ts';
import { adaptersKey, interfaceKeys, proxyKeys } from './network-settings.ts';

const policy = 'SOFTWARE\\Policies\\Microsoft\\Windows NT\\Terminal Services';
const [interfaces = '', interfaces6 = ''] = interfaceKeys;
const [machineProxy = '', proxyPolicy = ''] = proxyKeys;

const closed = {
  ...{ remote_desktop: false, remote_shell: false, screen_sharing: null, remote_assistance: false },
  ...{ administrators: ['Administrator', 'Ann'], hosts_file: { entries: ['127.0.0.1 localhost'] }, dns_changed_by_others: [], proxy: '' },
  ...{ own_service: 'on', own_files: expect.stringMatching(/^[\da-f]{64} "C:/) },
};

type Computer = Awaited<ReturnType<typeof computer>>;
type Changes = [title: string, change: (computer: Computer) => unknown, state: Partial<Record<keyof typeof closed, unknown>>];

describe('the doors of a Windows computer', () => {
  it.each<Changes>([
    ['closed', () => {}, {}],
    ['with Remote Desktop', ({ registry }) => registry.write(terminal, 'fDenyTSConnections', 0), { remote_desktop: true }],
    ['with Remote Desktop by policy', ({ registry }) => registry.write(policy, 'fDenyTSConnections', 0), { remote_desktop: true }],
    [
      'with Remote Desktop, but denied by policy',
      ({ registry }) => {
        registry.write(terminal, 'fDenyTSConnections', 0);
        registry.write(policy, 'fDenyTSConnections', 1);
      },
      {},
    ],
    [
      'without the setting of Remote Desktop',
      ({ registry }) => {
        registry.removeValue(terminal, 'fDenyTSConnections');
        registry.write(terminal, 'TSUserEnabled', 0);
      },
      {},
    ],
    ['without its key', ({ registry }) => registry.removeKey(terminal), { remote_desktop: null }],
    ['with Remote Assistance', ({ registry }) => registry.write(assistance, 'fAllowToGetHelp', 1), { remote_assistance: true }],
    [
      'with Remote Assistance, but denied by policy',
      ({ registry }) => {
        registry.write(assistance, 'fAllowToGetHelp', 1);
        registry.write(policy, 'fAllowToGetHelp', 0);
      },
      {},
    ],
    [
      'with an SSH server that starts automatically',
      ({ known }) => known.set('sshd', { ...stopped, start: startTypes.automatic }),
      { remote_shell: true },
    ],
    [
      'with an SSH server that runs now',
      ({ known }) => known.set('sshd', { ...stopped, start: startTypes.byHand, running: true }),
      { remote_shell: true },
    ],
    ['with an SSH server that was only installed', ({ known }) => known.set('sshd', { ...stopped, start: startTypes.byHand }), {}],
    ['with a running SSH agent', ({ known }) => known.set('ssh-agent', { ...stopped, start: startTypes.automatic, running: true }), {}],
    ['with unreadable services', ({ known }) => known.clear(), { remote_shell: null }],
    [
      'with a new administrator',
      ({ members }) => (members.list?.push('pc\\helper'), undefined),
      { administrators: ['Administrator', 'Ann', 'helper'] },
    ],
    [
      'with an administrator from elsewhere',
      ({ members }) => (members.list = ['PC\\Ann', 'WORK\\Bob']),
      { administrators: ['Ann', 'WORK\\Bob'] },
    ],
    ['with unreadable administrators', ({ members }) => (members.list = null), { administrators: null }],
    [
      'with a changed hosts file',
      ({ hosts }) => appendFile(hosts, '203.0.113.9 bank.com\r\n'),
      { hosts_file: { entries: ['203.0.113.9 bank.com', '127.0.0.1 localhost'] } },
    ],
    [
      'with a hosts file in another folder',
      async ({ root, registry }) => {
        await writeFile(join(root, 'hosts'), '203.0.113.9 bank.com\r\n');
        registry.write(`${servicesKey}\\Tcpip\\Parameters`, 'DataBasePath', root);
      },
      { hosts_file: { entries: ['203.0.113.9 bank.com'] } },
    ],
    ['without the folder of the hosts file in the registry', ({ registry }) => registry.removeKey(`${servicesKey}\\Tcpip\\Parameters`), {}],
    [
      'with DNS servers',
      ({ registry }) => registry.write(`${interfaces}\\{a}`, 'NameServer', '203.0.113.54,203.0.113.53'),
      { dns_changed_by_others: ['203.0.113.53', '203.0.113.54'] },
    ],
    [
      'with a DNS server of one network',
      ({ registry }) => registry.write(`${interfaces}\\{a}`, 'ProfileNameServer', '203.0.113.53'),
      { dns_changed_by_others: ['203.0.113.53'] },
    ],
    [
      'with a DNS server of IPv6',
      ({ registry }) => registry.write(`${interfaces6}\\{a}`, 'NameServer', '2001:DB8::53'),
      { dns_changed_by_others: ['2001:db8::53'] },
    ],
    ['with other DNS servers from DHCP', ({ registry }) => registry.write(`${interfaces}\\{a}`, 'DhcpNameServer', '203.0.113.53'), {}],
    [
      'with the DNS servers of a VPN',
      ({ registry }) => {
        registry.write(`${interfaces}\\{b}`, 'NameServer', '10.8.0.1');
        registry.write(`${adaptersKey}\\{b}\\Connection`, 'PnpInstanceID', 'SWD\\WINTUN\\{B}');
      },
      {},
    ],
    [
      'with DNS servers of a network card',
      ({ registry }) => {
        registry.write(`${interfaces}\\{a}`, 'NameServer', '203.0.113.53');
        registry.write(`${adaptersKey}\\{a}\\Connection`, 'PnpInstanceID', 'PCI\\VEN_8086');
      },
      { dns_changed_by_others: ['203.0.113.53'] },
    ],
    [
      'with a proxy',
      ({ registry }) => {
        registry.write(machineProxy, 'ProxyEnable', 1);
        registry.write(machineProxy, 'ProxyServer', '203.0.113.8:8080');
      },
      { proxy: '203.0.113.8:8080' },
    ],
    [
      'with a proxy that is switched off',
      ({ registry }) => {
        registry.write(machineProxy, 'ProxyEnable', 0);
        registry.write(machineProxy, 'ProxyServer', '203.0.113.8:8080');
      },
      {},
    ],
    [
      'with a script for proxies by policy',
      ({ registry }) => registry.write(proxyPolicy, 'AutoConfigURL', 'http://203.0.113.8/x.pac'),
      { proxy: 'http://203.0.113.8/x.pac' },
    ],
    ['with our service disabled', ({ registry }) => registry.write(ownKey, 'Start', 4), { own_service: 'off' }],
    ['with our service started by hand', ({ registry }) => registry.write(ownKey, 'Start', 3), { own_service: 'off' }],
    ['with our service deleted when it ends', ({ registry }) => registry.write(ownKey, 'DeleteFlag', 1), { own_service: 'off' }],
  ])('%s', async (_title, change, state) => {
    const one = await computer();
    await change(one);
    expect(await one.read()).toEqual({ ...closed, ...state });
  });

  it('the stamp of our files changes with a file, and with the program that our service starts', async () => {
    const { registry, folder, read } = await computer();
    const stamps = [await read()];
    await writeFile(join(folder, 'porchlight-agent.exe'), 'evil');
    stamps.push(await read());
    registry.write(ownKey, 'ImagePath', 'C:\\Windows\\System32\\cmd.exe');
    stamps.push(await read(), await read());
    expect(new Set(stamps.map(({ own_files }) => own_files)).size).toBe(3);
  });

  it('a change in the registry is announced within a second, and no later change once the watch is closed', async () => {
    const { doors, keys, clock } = await computer();
    let calls = 0;
    const watch = doors.watch(() => calls++);
    onTestFinished(() => watch.close());
    expect(keys.watched).toEqual(
      expect.arrayContaining([
        terminal,
        assistance,
        policy,
        ownKey,
        `${safeModeKey}\\Porchlight`,
        `${servicesKey}\\sshd`,
        interfaces,
        machineProxy,
      ]),
    );
    clock.advance(5000);
    expect(calls).toBe(0);
    for (let round = 1; round <= 2; round++) {
      keys.changed = true;
      clock.advance(1000);
      expect(calls).toBe(round);
    }
    watch.close();
    keys.changed = true;
    clock.advance(60_000);
    expect([calls, keys.closed]).toEqual([2, true]);
  });

  it.each([
    ['hosts file', ({ hosts }: Computer) => hosts],
    ['program', ({ folder }: Computer) => join(folder, 'porchlight-agent.exe')],
  ])('a change of the %s is announced', async (_title, pathOf) => {
    const one = await computer();
    let calls = 0;
    const watch = one.doors.watch(() => calls++);
    onTestFinished(() => watch.close());
    await writeFile(pathOf(one), 'changed');
    await until('the call', () => {
      one.clock.advance(50);
      return calls > 0;
    });
    expect(one.clock.now()).toBeLessThan(29_000);
  });
});

describe('a door of a Windows computer that is closed', () => {
  it('Remote Desktop is denied again, but not where a policy allows it', async () => {
    const { doors, registry } = await computer();
    registry.write(terminal, 'fDenyTSConnections', 0);
    expect(await doors.close({ door: 'remote_desktop' })).toBe(true);
    expect(registry.read(terminal, 'fDenyTSConnections')).toBe(1);
    registry.write(policy, 'fDenyTSConnections', 0);
    expect(await doors.close({ door: 'remote_desktop' })).toBe(false);
  });

  it('the SSH server is ended and starts only by hand, and an uninstall does not start it', async () => {
    const { doors, known, registry } = await computer();
    known.set('sshd', { ...stopped, start: startTypes.automatic, running: true, pid: 7 });
    expect(await doors.close({ door: 'remote_shell' })).toBe(true);
    expect(known.get('sshd')).toMatchObject({ start: startTypes.byHand, running: false });
    expect(known.get('Porchlight')).toMatchObject({ start: startTypes.automatic, running: true });
    expect(registry.values(switchedOffKey)).toEqual([]);
  });

  it('the added lines of the hosts file are removed by the call of Windows that retains its rights', async () => {
    const { doors, hosts, replaced } = await computer();
    await appendFile(hosts, '203.0.113.9 bank.com\r\n192.168.1.9 printer\r\n');
    expect(await doors.close({ door: 'hosts_file', entries: ['203.0.113.9 bank.com'] })).toBe(true);
    expect(await readFile(hosts, 'utf8')).toBe('# Windows\r\n127.0.0.1 localhost\r\n192.168.1.9 printer\r\n');
    expect(replaced).toEqual([hosts]);
    await rm(hosts);
    expect(await doors.close({ door: 'hosts_file', entries: ['203.0.113.9 bank.com'] })).toBe(true);
  });

  it('our own service starts with Windows again', async () => {
    const { doors, registry, read } = await computer();
    registry.write(ownKey, 'Start', startTypes.disabled);
    expect(await doors.close({ door: 'own_service' })).toBe(true);
    expect(await read()).toMatchObject({ own_service: 'on' });
  });

  it('screen sharing is unknown on Windows and cannot be closed', async () => {
    expect(await (await computer()).doors.close({ door: 'screen_sharing' })).toBe(false);
  });
});
