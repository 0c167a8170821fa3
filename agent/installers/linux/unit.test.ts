import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { leaveOut } from '../../testing/left-out.ts';
import { unit } from './unit.ts';

const script = fileURLToPath(new URL('../../testing/in-unit.ts', import.meta.url));
const namespace = [...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--mount', '--propagation', 'private'];

/** A disk, and the service's view of it. */
async function service(context: TestContext) {
  if (process.platform !== 'linux' || spawnSync('unshare', [...namespace, 'mount', '--bind', '/usr', '/usr']).status !== 0)
    leaveOut(context, 'no view of the disk of its own can be had here: it takes the right to mount.');
  const root = await temporaryFolder();
  const at = (path: string) => join(root, path);
  const put = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  put('etc/resolv.conf', 'nameserver 192.0.2.1\n');
  put('etc/hosts', '127.0.0.1 localhost\n');
  for (const path of [...shut, ...open]) put(path, '');
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

const shut = [
  ...['passwd', 'shadow', 'group', 'gshadow', 'sudoers', 'ld.so.conf'].map((name) => `etc/${name}`),
  ...['ssh/sshd_config', 'pam.d/login', 'security/access.conf', 'sudoers.d/x', 'ld.so.conf.d/x', 'ssl/certs/x', 'apt/x'].map(
    (path) => `etc/${path}`,
  ),
  ...['usr/bin/x', 'usr/lib/x', 'boot/x'],
];
const open = ['usr/local/bin/x', 'etc/crontab', 'etc/cron.d/x', 'etc/xdg/autostart/x.desktop', 'etc/systemd/system/x', 'opt/porchlight/x'];

describe('the service’s view of the disk', () => {
  test('[P4.7] names can be taken and given back also when somebody has put another file in the place of the system’s', async (context) => {
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

  test('what it never has to write stays shut, and what it puts away or sets is open', async (context) => {
    const { tell } = await service(context);
    for (const path of shut) expect(await tell(`write ${path}`), path).toBe('EROFS');
    for (const path of open) expect(await tell(`write ${path}`), path).toBe('done');
  });
});
