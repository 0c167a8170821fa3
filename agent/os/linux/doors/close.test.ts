import { existsSync } from 'node:fs';
import { appendFile, lstat, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { services } from '../services.ts';
import { linuxDoors } from './doors.ts';
import { everywhere, linuxComputer, own, socket } from './linux-computer.ts';

const systemctl = '/usr/bin/systemctl';
const wants = 'etc/systemd/system/multi-user.target.wants';
const computer = async () => linuxComputer(await temporaryFolder());

describe('a door of a Linux computer that is closed', () => {
  it('the added lines of the hosts file are removed, and the others stay', async () => {
    const { doors, at } = await computer();
    await appendFile(at('etc/hosts'), '203.0.113.9 bank.com\n192.168.1.9 printer\n');
    expect(await doors.close({ door: 'hosts_file', entries: ['203.0.113.9 bank.com'] })).toBe(true);
    expect(await readFile(at('etc/hosts'), 'utf8')).toBe('127.0.0.1 localhost\n192.168.1.9 printer\n');
  });

  it('systemctl disables the remote desktop, and nothing else', async ({ skip }) => {
    if (!existsSync(systemctl)) skip('needs systemctl');
    const { root, at, write, link } = await computer();
    for (const unit of ['xrdp.service', 'ssh.service', 'cups.service']) {
      await write(`etc/systemd/system/${unit}`, '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n');
      await link(`${wants}/${unit}`, `../${unit}`);
    }
    const doors = linuxDoors({ root, own, setService: services(systemctl, [`--root=${root}`]).setService });
    expect(await doors.read()).toMatchObject({ remote_desktop: true, remote_shell: true });
    expect(await doors.close({ door: 'remote_desktop' })).toBe(true);
    expect(await doors.read()).toMatchObject({ remote_desktop: false, remote_shell: true, own_service: 'on' });
    for (const unit of ['ssh.service', 'cups.service', own.unit]) expect((await lstat(at(`${wants}/${unit}`))).isSymbolicLink()).toBe(true);
    expect([await doors.close({ door: 'remote_shell' }), await doors.close({ door: 'remote_shell' })]).toEqual([true, true]);
    expect(await doors.read()).toMatchObject({ remote_shell: false });
  });

  it('a socket is stopped before its service', async () => {
    const { doors, link, changed } = await computer();
    await link(`${wants}/ssh.service`);
    await link('etc/systemd/system/sockets.target.wants/ssh.socket');
    await doors.close({ door: 'remote_shell' });
    expect(changed).toEqual([{ name: 'ssh.socket' }, { name: 'ssh.service' }]);
  });

  it.each([
    ['its desktop sharing for its user', 'screen_sharing', 1001, [{ name: 'gnome-remote-desktop.service', user: 'bob' }]],
    ['its remote login for the system', 'remote_desktop', 998, [{ name: 'gnome-remote-desktop.service' }]],
  ] as const)('of GNOME only what listens is stopped: %s', async (_title, door, uid, units) => {
    const { doors, link, listen, owner, changed } = await computer();
    await link('home/bob/.config/systemd/user/gnome-session.target.wants/gnome-remote-desktop.service');
    await link('etc/systemd/system/graphical.target.wants/gnome-remote-desktop.service');
    expect([await doors.close({ door }), changed]).toEqual([true, []]);
    await listen(socket(everywhere, 3389, { uid, inode: 88 }));
    await owner(80, 'gnome-remote-de', 88);
    expect([await doors.close({ door }), changed]).toEqual([false, units]);
  });

  it('a door that is still open afterwards is reported as open', async () => {
    const { doors, link, listen } = await computer();
    await link(`${wants}/ssh.service`);
    expect(await doors.close({ door: 'remote_shell' })).toBe(false);
    // A program that no unit has started.
    await listen(socket(everywhere, 3389));
    expect(await doors.close({ door: 'remote_desktop' })).toBe(false);
  });
});
