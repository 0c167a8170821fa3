import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { requirePrograms, skipTest } from '../testing/skip.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { unit } from './unit.ts';

const script = fileURLToPath(new URL('../../agent/testing/in-unit.ts', import.meta.url));
/** Highest allowed exposure, in tenths of systemd's score (10.0 for an unrestricted root service). */
const exposure = 45;
const namespace = [...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--mount', '--propagation', 'private'];

async function service(context: TestContext) {
  if (process.platform !== 'linux' || spawnSync('unshare', [...namespace, 'mount', '--bind', '/usr', '/usr']).status !== 0)
    skipTest(context, 'no view of the disk of its own can be had here: it takes the right to mount.');
  requirePrograms(context, { setpriv: 'util-linux' });
  const root = await temporaryFolder();
  chmodSync(root, 0o755);
  const pathInRoot = (path: string) => join(root, path);
  const writeText = (path: string, text: string) => {
    mkdirSync(dirname(pathInRoot(path)), { recursive: true });
    writeFileSync(pathInRoot(path), text);
  };
  writeText('etc/resolv.conf', 'nameserver 192.0.2.1\n');
  writeText('etc/hosts', '127.0.0.1 localhost\n');
  for (const path of [...readOnlyPaths, ...writablePaths, ...Object.keys(people)]) writeText(path, '');
  if (process.getuid?.() === 0) for (const [path, uid] of Object.entries(people)) changeOwner(root, path, uid);
  const child = spawn('unshare', [...namespace, process.execPath, script, root, unit], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const command = async (line: string) => {
    child.stdin.write(`${line}\n`);
    return (await lines.next()).value;
  };
  expect((await lines.next()).value).toBe('ready');
  return { put: writeText, at: pathInRoot, tell: command, text: (path: string) => readFileSync(pathInRoot(path), 'utf8') };
}

const people = { 'home/ann/Downloads/AnyDesk': 4001, 'var/spool/cron/ann': 4001 };
function changeOwner(root: string, path: string, uid: number): void {
  chownSync(join(root, path), uid, uid);
  for (let folder = dirname(path); folder.startsWith('home/'); folder = dirname(folder)) chownSync(join(root, folder), uid, uid);
}

const readOnlyPaths = [
  ...['passwd', 'shadow', 'group', 'gshadow', 'sudoers', 'ld.so.conf'].map((name) => `etc/${name}`),
  ...['ssh/sshd_config', 'pam.d/login', 'security/access.conf', 'sudoers.d/x', 'ld.so.conf.d/x', 'ssl/certs/x', 'apt/x'].map(
    (path) => `etc/${path}`,
  ),
  ...['systemd/system/x', 'systemd/user/x', 'cron.daily/x', 'NetworkManager/dispatcher.d/x'].map((path) => `etc/${path}`),
  ...['usr/bin/x', 'usr/lib/x', 'boot/x', 'var/lib/dpkg/x', 'var/lib/other/x', 'var/log/x', 'run/systemd/x', 'srv-x', 'lib/x'],
];
const writablePaths = [
  ...['usr/local/bin/x', 'etc/crontab', 'etc/cron.d/x', 'etc/xdg/autostart/x.desktop', 'etc/systemd/resolved.conf.d/x', 'opt/porchlight/x'],
  ...['etc/chromium/policies/managed/x', 'etc/firefox/policies/x', 'usr/lib/firefox-esr/distribution/x'],
  ...['var/lib/porchlight-agent/x', 'run/porchlight/x', 'root/Downloads/x'],
  // The agent disables services through these files: see `os/linux/services.ts`.
  ...['system', 'user'].map((manager) => `run/systemd/${manager}/anydesk.service.d/zz-porchlight.conf`),
];

describe('the service’s access to the disk', () => {
  test('[P4.7] the service changes the DNS settings and restores them, also when somebody has replaced the system’s file', async (context) => {
    const { put, at, tell, text } = await service(context);
    expect(await tell('take')).toBe('done');
    // A file that NetworkManager, a DHCP client or an editor has replaced.
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
    for (const path of readOnlyPaths) expect(await tell(`write ${path}`), path).toBe('EROFS');
    for (const path of writablePaths) expect(await tell(`write ${path}`), path).toBe('done');
  });

  test('A1: the service has no rights of its own in a user’s folder: it quarantines and restores a file as that user, and can write there in no other way', async (context) => {
    if (process.getuid?.() !== 0) skipTest(context, 'only root can become somebody else.');
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
  requirePrograms(context, { 'systemd-analyze': 'systemd' });
  const file = join(await temporaryFolder(), 'porchlight-agent.service');
  writeFileSync(file, unit.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`));
  const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', `--threshold=${exposure}`, file], {
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/Overall exposure level for porchlight-agent.service: \d+\.\d/);
  expect(status, stdout).toBe(0);
});
