import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { leaveOut, needs } from '../testing/left-out.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { unit } from './unit.ts';

const script = fileURLToPath(new URL('../../agent/testing/in-unit.ts', import.meta.url));
/** In tenths, of systemd's own measure (10.0 for a service of root that nothing narrows). */
const exposure = 45;
const namespace = [...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--mount', '--propagation', 'private'];

/** A disk, and the service's view of it. */
async function service(context: TestContext) {
  if (process.platform !== 'linux' || spawnSync('unshare', [...namespace, 'mount', '--bind', '/usr', '/usr']).status !== 0)
    leaveOut(context, 'no view of the disk of its own can be had here: it takes the right to mount.');
  needs(context, { setpriv: 'util-linux' });
  const root = await temporaryFolder();
  // People look into it too.
  chmodSync(root, 0o755);
  const at = (path: string) => join(root, path);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  put('etc/resolv.conf', 'nameserver 192.0.2.1\n');
  put('etc/hosts', '127.0.0.1 localhost\n');
  for (const path of [...shut, ...open, ...Object.keys(people)]) put(path, '');
  if (process.getuid?.() === 0) for (const [path, uid] of Object.entries(people)) giveTo(root, path, uid);
  const child = spawn('unshare', [...namespace, process.execPath, script, root, unit], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const tell = async (line: string) => {
    child.stdin.write(`${line}\n`);
    return (await lines.next()).value;
  };
  expect((await lines.next()).value).toBe('ready');
  return { put, at, tell, text: (path: string) => readFileSync(at(path), 'utf8') };
}

/** Files of people, in folders of theirs. */
const people = { 'home/ann/Downloads/AnyDesk': 4001, 'var/spool/cron/ann': 4001 };
function giveTo(root: string, path: string, uid: number): void {
  chownSync(join(root, path), uid, uid);
  for (let folder = dirname(path); folder.startsWith('home/'); folder = dirname(folder)) chownSync(join(root, folder), uid, uid);
}

const shut = [
  ...['passwd', 'shadow', 'group', 'gshadow', 'sudoers', 'ld.so.conf'].map((name) => `etc/${name}`),
  ...['ssh/sshd_config', 'pam.d/login', 'security/access.conf', 'sudoers.d/x', 'ld.so.conf.d/x', 'ssl/certs/x', 'apt/x'].map(
    (path) => `etc/${path}`,
  ),
  ...['systemd/system/x', 'systemd/user/x', 'cron.daily/x', 'NetworkManager/dispatcher.d/x'].map((path) => `etc/${path}`),
  ...['usr/bin/x', 'usr/lib/x', 'boot/x', 'var/lib/dpkg/x', 'var/lib/other/x', 'var/log/x', 'run/systemd/x', 'srv-x', 'lib/x'],
];
const open = [
  ...['usr/local/bin/x', 'etc/crontab', 'etc/cron.d/x', 'etc/xdg/autostart/x.desktop', 'etc/systemd/resolved.conf.d/x', 'opt/porchlight/x'],
  ...['var/lib/porchlight-agent/x', 'run/porchlight/x', 'root/Downloads/x'],
  // How a service is ended for good: see `os/linux/services.ts`.
  ...['system', 'user'].map((whose) => `run/systemd/${whose}/anydesk.service.d/zz-porchlight.conf`),
];

describe('the service’s view of the disk', () => {
  test('[P4.7] the service changes the DNS settings and restores them, also when somebody has replaced the system’s file', async (context) => {
    const { put, at, tell, text } = await service(context);
    expect(await tell('take')).toBe('done');
    // As NetworkManager, a DHCP client or an editor writes it.
    const replaced = { 'etc/resolv.conf': 'nameserver 192.0.2.2\n', 'etc/hosts': '127.0.0.1 localhost box\n' };
    for (const [path, content] of Object.entries(replaced)) {
      put(`${path}.new`, content);
      renameSync(at(`${path}.new`), at(path));
    }
    expect(await tell('take')).toBe('done');
    expect(text('etc/resolv.conf')).toContain('nameserver 127.0.0.1\n');
    expect(text('etc/hosts')).toContain('0.0.0.0 evil.test\n');
    expect(await tell('back')).toBe('done');
    for (const [path, content] of Object.entries(replaced)) expect(text(path)).toBe(content);
  });

  test('the service can write only to the paths that it quarantines from or configures', async (context) => {
    const { tell } = await service(context);
    for (const path of shut) expect(await tell(`write ${path}`), path).toBe('EROFS');
    for (const path of open) expect(await tell(`write ${path}`), path).toBe('done');
  });

  test('A1: the service has no rights of its own in a user’s folder: it quarantines and restores a file as that user, and can write there in no other way', async (context) => {
    if (process.getuid?.() !== 0) leaveOut(context, 'only root can become somebody else.');
    const { at, tell } = await service(context);
    const [file = '', table = ''] = Object.keys(people);
    chmodSync(at(file), 0o755);
    for (const path of [file, table, 'home/ann/x']) expect(await tell(`write ${path}`), path).toBe('EACCES');
    expect(await tell(`away ${file}`)).toBe('done');
    expect(existsSync(at(file))).toBe(false);
    expect(await tell('return')).toBe('done');
    const { uid, mode } = statSync(at(file));
    expect([uid, mode & 0o7777]).toEqual([4001, 0o755]);
  });
});

test('systemd-analyze rates the exposure of the unit no higher than allowed', async (context) => {
  needs(context, { 'systemd-analyze': 'systemd' });
  const file = join(await temporaryFolder(), 'porchlight-agent.service');
  writeFileSync(file, unit.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`));
  const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', `--threshold=${exposure}`, file], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/Overall exposure level for porchlight-agent.service: \d+\.\d/);
  expect(status, stdout).toBe(0);
});
