import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Dict } from '../../../lib/plist.ts';
import { temporaryFolder } from '../../../testing/agent.ts';
import { plistXml } from '../../../testing/mac-defaults.ts';
import { fakeMac } from '../../../testing/mac-native.ts';
import { manualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { macDoors } from './doors.ts';

const own = { folder: '/Library/Application Support/Porchlight', label: 'example.porchlight.agent' };
const dnsFile = `${own.folder}/names.json`;
const ownPlist = `Library/LaunchDaemons/${own.label}.plist`;
const switches = 'private/var/db/com.apple.xpc.launchd/disabled.plist';
const settings = 'Library/Preferences/SystemConfiguration/preferences.plist';
const management = 'Library/Application Support/Apple/Remote Desktop/RemoteManagement.launchd';
const [sharing, ssh] = ['com.apple.screensharing', 'com.openssh.sshd'];

/** Preferences with one network of this type. */
const network = (content: Dict, Type = 'Ethernet') =>
  plistXml({ NetworkServices: { ID: { UserDefinedName: 'Wi-Fi', Interface: { DeviceName: 'en0', Type }, ...content } } });
const dns = (...ServerAddresses: string[]) => network({ DNS: { ServerAddresses } });

/** A Mac with our service and no open door. Its launchd changes the file of switched services. */
async function mac() {
  const root = await temporaryFolder();
  const at = (path: string) => join(root, path);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const launchd: Record<string, boolean> = { [sharing]: true };
  const writeSwitches = () => write(switches, plistXml(launchd));
  const members = { code: 0, out: 'GroupMembership: root ann\n' };
  /** Labels that cannot be switched off. */
  const fixed = new Set<string>();
  /** Labels that launchd has loaded, without a process. */
  const loaded = new Set<string>();
  const native = fakeMac((line) => {
    const [, disabledLabel = ''] = /launchctl disable system\/(\S+)$/.exec(line) ?? [];
    if (disabledLabel && !fixed.has(disabledLabel)) launchd[disabledLabel] = true;
    if (line.includes('/usr/bin/dscl')) return members;
    if (line.includes('print-disabled'))
      return {
        out: Object.entries(launchd)
          .map(([label, off]) => `\t"${label}" => ${off ? 'disabled' : 'enabled'}\n`)
          .join(''),
      };
    const [, label = ''] = /launchctl print system\/(\S+)$/.exec(line) ?? [];
    return label && !loaded.has(label) ? { code: 113 } : {};
  });
  await writeSwitches();
  await write(settings, network({}));
  await write('private/etc/hosts', '127.0.0.1 localhost\nfe80::1%lo0 localhost\n');
  await write(`${own.folder}/porchlight-agent`, 'program');
  await write(`${own.folder}/data/agent.log`, '');
  await write(ownPlist, plistXml({ Label: own.label }));
  const clock = manualClock();
  const doors = macDoors({ native, root, dnsFile, own, now: clock.now, after: clock.after });
  const turn = (label: string, off: boolean) => {
    launchd[label] = off;
    return writeSwitches();
  };
  return { at, write, turn, members, native, fixed, loaded, clock, doors, read: doors.read };
}

const closed = {
  ...{ remote_desktop: null, remote_shell: false, screen_sharing: false, remote_assistance: null, administrators: ['ann', 'root'] },
  ...{ hosts_file: { entries: ['fe80::1 localhost', '127.0.0.1 localhost'] }, dns_changed_by_others: [], proxy: '' },
  ...{ own_service: 'on', own_files: expect.stringMatching(/^[\da-f]{64}$/) },
};

type Mac = Awaited<ReturnType<typeof mac>>;
type Changes = [title: string, change: (mac: Mac) => Promise<unknown>, state: Partial<Record<keyof typeof closed, unknown>>];

describe('the doors of a Mac', () => {
  it.each<Changes>([
    ['closed', async () => {}, {}],
    ['with Screen Sharing', ({ turn }) => turn(sharing, false), { screen_sharing: true }],
    ['with Remote Management', ({ write }) => write(management, 'enabled'), { screen_sharing: true }],
    ['with Remote Login', ({ turn }) => turn(ssh, false), { remote_shell: true }],
    ['with Remote Login switched off again', ({ turn }) => turn(ssh, true), {}],
    ['with file sharing', ({ turn }) => turn('com.apple.smbd', false), {}],
    [
      'with a damaged file of launchd',
      ({ write }) => write(switches, '<plist'),
      { screen_sharing: null, remote_shell: null, own_service: null },
    ],
    ['without the file of launchd', ({ at }) => rm(at(switches)), { screen_sharing: null, remote_shell: null, own_service: null }],
    [
      'with a new administrator',
      async ({ members }) => (members.out = 'GroupMembership: root ann helper\n'),
      { administrators: ['ann', 'helper', 'root'] },
    ],
    ['with unreadable administrators', async ({ members }) => (members.code = 1), { administrators: null }],
    [
      'with a changed hosts file',
      ({ at }) => appendFile(at('private/etc/hosts'), '203.0.113.9 bank.com\n'),
      { hosts_file: { entries: ['fe80::1 localhost', '203.0.113.9 bank.com', '127.0.0.1 localhost'] } },
    ],
    [
      'with a DNS server',
      ({ write }) => write(settings, dns('203.0.113.53', '2001:DB8::53')),
      { dns_changed_by_others: ['2001:db8::53', '203.0.113.53'] },
    ],
    ['with our own DNS server before those of the network', ({ write }) => write(settings, dns('127.0.0.1', '192.168.1.1')), {}],
    [
      'with our own DNS server in place of another',
      async ({ write }) => {
        await write(settings, dns('127.0.0.1', '203.0.113.53'));
        await write(dnsFile, JSON.stringify({ 'Wi-Fi': ['203.0.113.53'], Ethernet: ['203.0.113.54'] }));
      },
      { dns_changed_by_others: ['203.0.113.53'] },
    ],
    [
      'with our own DNS server and a damaged file of former ones',
      async ({ write }) => {
        await write(settings, dns('127.0.0.1', '203.0.113.53'));
        await write(dnsFile, '{"Wi-Fi": 3');
      },
      {},
    ],
    ['with the DNS server of a VPN', ({ write }) => write(settings, network({ DNS: { ServerAddresses: ['10.8.0.1'] } }, 'VPN')), {}],
    [
      'with a proxy',
      ({ write }) => write(settings, network({ Proxies: { HTTPEnable: 1, HTTPProxy: '203.0.113.8', HTTPPort: 8080 } })),
      { proxy: '203.0.113.8:8080' },
    ],
    [
      'with a proxy that is switched off',
      ({ write }) => write(settings, network({ Proxies: { HTTPEnable: 0, HTTPProxy: '203.0.113.8', HTTPPort: 8080 } })),
      {},
    ],
    [
      'with a script for proxies',
      ({ write }) =>
        write(settings, network({ Proxies: { ProxyAutoConfigEnable: 1, ProxyAutoConfigURLString: 'http://203.0.113.8/x.pac' } })),
      { proxy: 'http://203.0.113.8/x.pac' },
    ],
    ['with unreadable settings of the network', ({ write }) => write(settings, 'damaged'), { dns_changed_by_others: null, proxy: null }],
    ['with our service switched off', ({ turn }) => turn(own.label, true), { own_service: 'off' }],
    ['with our service deleted', ({ at }) => rm(at(ownPlist)), { own_service: 'off' }],
  ])('%s', async (_title, change, state) => {
    const one = await mac();
    await change(one);
    expect(await one.read()).toEqual({ ...closed, ...state });
  });

  it.each<[string, string, boolean]>([
    ['our program', `${own.folder}/porchlight-agent`, true],
    ['its native part', `${own.folder}/koffi-3.node`, true],
    ['our service', ownPlist, true],
    ['our log', `${own.folder}/data/agent.log`, false],
    ['the former DNS servers', dnsFile, false],
    ['another service', 'Library/LaunchDaemons/other.plist', false],
  ])('when %s is written, the stamp of our files is another one, or not', async (_title, path, differs) => {
    const { read, write } = await mac();
    const before = (await read()).own_files;
    await write(path, plistXml({ Label: 'changed' }));
    expect((await read()).own_files !== before).toBe(differs);
  });

  it('administrators are read by one program in five minutes, also when it fails, and nothing else runs', async () => {
    const { read, clock, native, members } = await mac();
    await read();
    members.out = 'GroupMembership: helper\n';
    for (let seconds = 0; seconds < 290; seconds += 10) {
      clock.advance(10_000);
      expect((await read()).administrators).toEqual(['ann', 'root']);
    }
    clock.advance(10_000);
    expect((await read()).administrators).toEqual(['helper']);
    members.code = 1;
    clock.advance(300_000);
    expect([(await read()).administrators, (await read()).administrators]).toEqual([null, null]);
    expect(native.ran).toEqual(Array(3).fill('/usr/bin/dscl . -read /Groups/admin GroupMembership'));
  });

  it('a change of a switch, and of the hosts file, is announced', async () => {
    const { doors, clock, write } = await mac();
    let calls = 0;
    const watch = doors.watch(() => calls++);
    onTestFinished(() => watch.close());
    for (const path of [switches, 'private/etc/hosts']) {
      const before = calls;
      await write(path, 'x');
      await until('the call', () => {
        clock.advance(50);
        return calls > before;
      });
    }
    expect(clock.now()).toBeLessThan(29_000);
  });
});

describe('a door of a Mac that is closed', () => {
  it('Screen Sharing is switched off, and Remote Login stays as it is', async () => {
    const { doors, turn, native } = await mac();
    await turn(sharing, false);
    await turn(ssh, false);
    expect(await doors.close({ door: 'screen_sharing' })).toBe(true);
    expect(native.ran).toContain(`/bin/launchctl disable system/${sharing}`);
    expect(native.ran.filter((line) => line.includes(ssh) || line.includes('kickstart'))).toEqual([]);
    expect(await doors.close({ door: 'remote_shell' })).toBe(true);
    expect(native.ran).toContain(`/bin/launchctl disable system/${ssh}`);
  });

  it('Remote Management is deactivated by Apple’s own command, and is still open while its file is there', async () => {
    const { doors, write, at, native } = await mac();
    await write(management, 'enabled');
    expect(await doors.close({ door: 'screen_sharing' })).toBe(false);
    expect(native.ran[0]).toMatch(/ARDAgent\.app\/Contents\/Resources\/kickstart -deactivate -stop$/);
    await rm(at(management));
    expect(await doors.close({ door: 'screen_sharing' })).toBe(true);
  });

  it('a service that cannot be switched off is reported as open', async () => {
    const { doors, turn, fixed, loaded } = await mac();
    await turn(ssh, false);
    fixed.add(ssh);
    expect(await doors.close({ door: 'remote_shell' })).toBe(false);
    // It has no process until someone connects.
    loaded.add(ssh);
    expect(await doors.close({ door: 'remote_shell' })).toBe(false);
    fixed.clear();
    expect(await doors.close({ door: 'remote_shell' })).toBe(true);
    expect(await doors.close({ door: 'remote_desktop' })).toBe(false);
  });

  it('the added lines of the hosts file are removed, and the others stay', async () => {
    const { doors, at } = await mac();
    await appendFile(at('private/etc/hosts'), '203.0.113.9 bank.com\n192.168.1.9 printer\n');
    expect(await doors.close({ door: 'hosts_file', entries: ['203.0.113.9 bank.com'] })).toBe(true);
    expect(await readFile(at('private/etc/hosts'), 'utf8')).toBe('127.0.0.1 localhost\nfe80::1%lo0 localhost\n192.168.1.9 printer\n');
  });
});
