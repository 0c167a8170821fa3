import { appendFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withMarkedFirst } from '../../../lib/marked-lines.ts';
import { temporaryFolder } from '../../../testing/agent.ts';
import { manualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { linuxDoors } from './doors.ts';
import { everywhere, everywhere6, group, linuxComputer, loopback, own, passwd, socket } from './linux-computer.ts';

const computer = async () => linuxComputer(await temporaryFolder());

const closed = {
  ...{ remote_desktop: false, remote_shell: false, screen_sharing: false, remote_assistance: null },
  ...{ administrators: ['ann', 'root'], hosts_file: { entries: ['127.0.0.1 localhost'] }, dns_changed_by_others: [], proxy: '' },
  ...{ own_service: 'on', own_files: expect.stringMatching(/^[\da-f]{64}$/) },
};

type Computer = Awaited<ReturnType<typeof computer>>;
type Changes = [title: string, change: (computer: Computer) => Promise<unknown>, state: Partial<Record<keyof typeof closed, unknown>>];

const wants = 'etc/systemd/system/multi-user.target.wants';
const connection = 'etc/NetworkManager/system-connections/Home.nmconnection';

describe('the doors of a Linux computer', () => {
  it.each<Changes>([
    ['closed', async () => {}, {}],
    // Remote shell.
    ['with an enabled SSH server', ({ link }) => link(`${wants}/ssh.service`), { remote_shell: true }],
    ['with an enabled SSH socket', ({ link }) => link('etc/systemd/system/sockets.target.wants/ssh.socket'), { remote_shell: true }],
    [
      'with an SSH server until the next restart',
      ({ link }) => link('run/systemd/units/invocation:sshd.service', 'x'),
      { remote_shell: true },
    ],
    ['with an SSH client’s agent', ({ link }) => link(`${wants}/ssh-agent.service`), {}],
    [
      'with an enabled but masked SSH server',
      async ({ link }) => {
        await link(`${wants}/ssh.service`);
        await link('etc/systemd/system/ssh.service', '/dev/null');
      },
      {},
    ],
    ['with a program that listens on port 22', ({ listen }) => listen(socket(everywhere, 22)), { remote_shell: true }],
    ['with a program that listens on port 22 of IPv6', ({ listen }) => listen(socket(everywhere6, 22), 'tcp6'), { remote_shell: true }],
    ['with a program that listens on port 2222', ({ listen }) => listen(socket(everywhere, 2222)), {}],
    ['with a connection from port 22', ({ listen }) => listen(socket(everywhere, 22, { state: '01' })), {}],
    [
      'with a container on port 22',
      async ({ listen, owner }) => {
        await listen(socket(everywhere, 22, { inode: 77 }));
        await owner(70, 'docker-proxy', 77);
      },
      {},
    ],
    // Remote desktop and screen sharing.
    ['with xrdp', ({ link }) => link(`${wants}/xrdp.service`), { remote_desktop: true }],
    [
      'with the remote login of GNOME, which listens on the next port',
      async ({ listen, owner }) => {
        await listen(socket(everywhere6, 3390, { uid: 998, inode: 88 }), 'tcp6');
        await owner(80, 'gnome-remote-de', 88);
      },
      { remote_desktop: true },
    ],
    ['with another program on the next port', ({ listen }) => listen(socket(everywhere, 3390)), {}],
    ['with a program that listens on port 3389', ({ listen }) => listen(socket(everywhere, 3389)), { remote_desktop: true }],
    [
      'with units of GNOME that are enabled but do not listen',
      async ({ link }) => {
        await link('etc/systemd/system/graphical.target.wants/gnome-remote-desktop.service');
        await link('etc/systemd/user/gnome-session.target.wants/gnome-remote-desktop.service');
        await link('run/systemd/units/invocation:gnome-remote-desktop.service', 'x');
      },
      {},
    ],
    [
      'with a VNC server of one user',
      ({ link }) => link('home/bob/.config/systemd/user/default.target.wants/x11vnc.service'),
      { screen_sharing: true },
    ],
    [
      'with the desktop sharing of GNOME',
      async ({ listen, owner }) => {
        await listen(socket(everywhere6, 3389, { uid: 1001, inode: 88 }), 'tcp6');
        await owner(80, 'gnome-remote-de', 88);
      },
      { screen_sharing: true },
    ],
    ['with a VNC server', ({ listen }) => listen(socket(everywhere, 5901)), { screen_sharing: true }],
    [
      'with a VNC server behind a tunnel',
      async ({ listen, owner }) => {
        await listen(socket(loopback, 5900, { uid: 1000, inode: 99 }));
        await owner(90, 'x11vnc', 99);
      },
      { screen_sharing: true },
    ],
    [
      'with the screen of a virtual machine',
      async ({ listen, owner }) => {
        await listen(socket(everywhere, 5900, { inode: 99 }));
        await owner(90, 'qemu-system-x86', 99);
      },
      {},
    ],
    ['with an unknown program on loopback', ({ listen }) => listen(socket(loopback, 5900, { inode: 99 })), {}],
    ['with an unknown program on loopback of IPv6', ({ listen }) => listen(socket(`${'0'.repeat(24)}01000000`, 5900), 'tcp6'), {}],
    ['with an unknown program in the network', ({ listen }) => listen(socket('0B01A8C0', 5900)), { screen_sharing: true }],
    ['with an enabled VNC server', ({ link }) => link(`${wants}/tigervncserver@:1.service`), { screen_sharing: true }],
    // Administrators.
    [
      'with a new member of sudo',
      ({ write }) => write('etc/group', group.replace('sudo:x:27:ann', 'sudo:x:27:ann,bob')),
      { administrators: ['ann', 'bob', 'root'] },
    ],
    ['with a new wheel', ({ write }) => write('etc/group', `${group}wheel:x:10:bob\n`), { administrators: ['ann', 'bob', 'root'] }],
    [
      'with a user whose own group is sudo',
      ({ write }) => write('etc/passwd', `${passwd}eve:x:1002:27::/home/eve:/bin/sh\n`),
      { administrators: ['ann', 'eve', 'root'] },
    ],
    [
      'with a second root',
      ({ write }) => write('etc/passwd', `${passwd}toor:x:0:0::/root:/bin/sh\n`),
      { administrators: ['ann', 'root', 'toor'] },
    ],
    ['with a new user without rights', ({ write }) => write('etc/passwd', `${passwd}eve:x:1002:1002::/home/eve:/bin/sh\n`), {}],
    ['with a member who does not exist', ({ write }) => write('etc/group', group.replace(':ann', ':ann,ghost')), {}],
    ['with an empty list of users', ({ write }) => write('etc/passwd', ''), { administrators: null }],
    ['without a readable list of groups', ({ at }) => rm(at('etc/group')), { administrators: null }],
    // Hosts file, DNS and proxy.
    [
      'with a changed hosts file',
      ({ at }) => appendFile(at('etc/hosts'), '203.0.113.9 bank.com\n'),
      { hosts_file: { entries: ['203.0.113.9 bank.com', '127.0.0.1 localhost'] } },
    ],
    [
      'with our own lines in the hosts file',
      async ({ write }) => write('etc/hosts', withMarkedFirst('127.0.0.1 localhost\n', ['0.0.0.0 scam.example'])),
      {},
    ],
    [
      'with DNS servers for systemd-resolved',
      ({ write }) => write('etc/systemd/resolved.conf.d/x.conf', '[Resolve]\nDNS=203.0.113.53#dns.example\n'),
      { dns_changed_by_others: ['203.0.113.53'] },
    ],
    ['with our own DNS server', ({ write }) => write('etc/systemd/resolved.conf.d/porchlight.conf', '[Resolve]\nDNS=127.0.0.1\n'), {}],
    [
      'with DNS servers in a connection',
      ({ write }) => write(connection, '[ipv4]\ndns=203.0.113.54;203.0.113.53;\n[ipv6]\ndns=2001:DB8::53;\n'),
      { dns_changed_by_others: ['2001:db8::53', '203.0.113.53', '203.0.113.54'] },
    ],
    ['with a connection that takes them from DHCP', ({ write }) => write(connection, '[ipv4]\nmethod=auto\n#dns=1.1.1.1;\n'), {}],
    [
      'with DNS servers of ifupdown',
      ({ write }) => write('etc/network/interfaces', 'iface eth0 inet static\n  dns-nameservers 203.0.113.53\n'),
      { dns_changed_by_others: ['203.0.113.53'] },
    ],
    ['with other servers from DHCP', ({ write }) => write('etc/resolv.conf', 'nameserver 10.0.0.1\n'), {}],
    [
      'with a proxy',
      ({ write }) =>
        write('etc/environment', 'PATH="/bin"\nhttp_proxy="http://203.0.113.8:8080"\nHTTPS_PROXY=http://203.0.113.8:8080\nno_proxy=x\n'),
      { proxy: 'http://203.0.113.8:8080' },
    ],
    ['with other variables', ({ write }) => write('etc/environment', 'PATH="/bin"\n# http_proxy=x\nno_proxy=x\n'), {}],
    // Our own service and files.
    ['with our service disabled', ({ at }) => rm(at(`${wants}/${own.unit}`)), { own_service: 'off' }],
    [
      'with our service disabled while it runs',
      async ({ at, link }) => {
        await rm(at(`${wants}/${own.unit}`));
        await link(`run/systemd/units/invocation:${own.unit}`, 'x');
      },
      { own_service: 'off' },
    ],
    ['with our service masked', ({ link }) => link(`etc/systemd/system/${own.unit}`, '/dev/null'), { own_service: 'off' }],
    ['with our service deleted', ({ at }) => rm(at(`usr/lib/systemd/system/${own.unit}`)), { own_service: 'off' }],
  ])('%s', async (_title, change, state) => {
    const one = await computer();
    await change(one);
    expect(await one.read()).toEqual({ ...closed, ...state });
  });

  it.each<[string, (computer: Computer) => Promise<unknown>, boolean]>([
    ['a program file that is written', ({ write }) => write('opt/porchlight/porchlight-agent', 'evil'), true],
    ['our unit that is written', ({ write }) => write(`usr/lib/systemd/system/${own.unit}`, '[Service]\nExecStart=/bin/true\n'), true],
    ['a drop-in for our unit', ({ write }) => write(`etc/systemd/system/${own.unit}.d/x.conf`, '[Service]\nExecStart=\n'), true],
    ['a drop-in for another unit', ({ write }) => write('etc/systemd/system/cups.service.d/x.conf', '[Service]\n'), false],
    ['a program beside ours', ({ write }) => write('opt/other/program', 'x'), false],
  ])('%s changes the stamp of our files, unless it is not ours', async (_title, change, differs) => {
    const one = await computer();
    const before = (await one.read()).own_files;
    await change(one);
    expect((await one.read()).own_files !== before).toBe(differs);
  });

  it('are unknown without systemd, lists of sockets and users, or an installation', async () => {
    const root = await temporaryFolder();
    expect(await linuxDoors({ root, own: null, setService: async () => false }).read()).toEqual({
      ...{ remote_desktop: null, remote_shell: null, screen_sharing: null, remote_assistance: null, administrators: null },
      ...{ hosts_file: { entries: [] }, dns_changed_by_others: [], proxy: '', own_service: null, own_files: null },
    });
  });

  it('a program is found by its socket once, and a later program with another socket again', async () => {
    const { read, listen, owner, at } = await computer();
    await owner(70, 'qemu-system-x86', 77);
    await listen(socket(everywhere, 5900, { inode: 77 }));
    expect((await read()).screen_sharing).toBe(false);
    // A name that was found stays, without another scan of all processes.
    await writeFile(at('proc/70/comm'), 'x11vnc\n');
    expect((await read()).screen_sharing).toBe(false);
    await owner(71, 'x11vnc', 78);
    await listen(socket(everywhere, 5900, { inode: 78 }));
    expect((await read()).screen_sharing).toBe(true);
  });

  it('a change is announced, of the hosts file, a user, and our files', async () => {
    const { root, write } = await computer();
    const clock = manualClock();
    let calls = 0;
    const watch = linuxDoors({ root, own, setService: async () => false, after: clock.after }).watch(() => calls++);
    onTestFinished(() => watch.close());
    for (const path of ['etc/hosts', 'etc/group', 'opt/porchlight/porchlight-agent', `${wants}/ssh.service`]) {
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

it('on this computer a program that listens for VNC is found, and is gone when it ends', async ({ skip }) => {
  const doors = linuxDoors({ own: null, setService: async () => false });
  if ((await doors.read()).screen_sharing) skip('Screen sharing is on here.');
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(5909, '127.0.0.1', resolve));
  const state = await doors.read();
  expect(state).toMatchObject({ screen_sharing: true, administrators: expect.arrayContaining(['root']) });
  expect(state.hosts_file?.entries).toContain('127.0.0.1 localhost');
  await new Promise((resolve) => void server.close(resolve));
  expect((await doors.read()).screen_sharing).toBe(false);
});
