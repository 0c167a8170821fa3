import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { layout } from './layout.ts';
import { linuxPackages } from './package.ts';
import { postinst, postrm, prerm } from './scripts.ts';
import { tar } from './tar.ts';

const run = promisify(execFile);
const hasTool = (tool: string) =>
  run('sh', ['-c', `command -v ${tool}`]).then(
    () => true,
    () => false,
  );
const [hasDpkg, hasSystemd] = [await hasTool('dpkg-deb'), await hasTool('systemd-analyze')];
if (!hasDpkg) console.log('There is no dpkg-deb here: what it says of the package is not asked.');
if (!hasSystemd) console.log('There is no systemd-analyze here: what it says of the service is not asked.');

/** A fake agent: logs its calls, and accepts its removal only with the PIN 482913. */
const program = `#!/bin/sh
[ "$1" != --restore-names ] || exit "\${NAMES_STUCK:-0}"
read -r pin || true
echo "$* $pin" >> "$AGENT_DATA_DIR/called"
[ "$pin" = 482913 ]
`;
const time = 1_790_000_000;
const linuxParts = { version: '1.0.0', architecture: 'amd64', server: 'https://porchlight.example', time } as const;
const packages = linuxPackages({ ...linuxParts, program: Buffer.from(program), beside: { 'koffi.node': Buffer.from('native') } });

describe('the package for Linux', () => {
  it('has the same bytes each time it is built', () => {
    const secondBuild = linuxPackages({ ...linuxParts, program: Buffer.from(program), beside: { 'koffi.node': Buffer.from('native') } });
    expect(secondBuild.deb.equals(packages.deb)).toBe(true);
    expect(secondBuild.tarball.equals(packages.tarball)).toBe(true);
  });

  it('is an ar archive of the three members, in their order', async () => {
    const file = join(await temporaryFolder(), 'porchlight.deb');
    await writeFile(file, packages.deb);
    expect((await run('ar', ['t', file])).stdout.trim().split('\n')).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz']);
  });

  it.skipIf(!hasDpkg)('passes dpkg-deb, with its fields, files, owners and checksums', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'porchlight.deb');
    await writeFile(file, packages.deb);
    const about = (await run('dpkg-deb', ['-f', file])).stdout;
    for (const line of ['Package: porchlight-agent', 'Version: 1.0.0', 'Architecture: amd64', 'Recommends: nftables, xdg-utils'])
      expect(about).toContain(line);
    const list = (await run('dpkg-deb', ['-c', file])).stdout;
    expect(list).toMatch(/-rwxr-xr-x root\/root\s+\d+ \S+ \S+ \.\/opt\/porchlight\/porchlight-agent\n/);
    expect(list).toMatch(/-rw------- root\/root\s+\d+ \S+ \S+ \.\/etc\/porchlight\/agent\.env\n/);
    expect(
      list
        .trim()
        .split('\n')
        .every((line) => line.includes(' root/root ')),
    ).toBe(true);
    const raw = join(folder, 'raw');
    await run('dpkg-deb', ['-R', file, raw]);
    await run('md5sum', ['-c', 'DEBIAN/md5sums'], { cwd: raw });
    expect(await readdir(join(raw, 'DEBIAN'))).toEqual(expect.arrayContaining(['conffiles', 'postinst', 'postrm', 'prerm']));
    expect(await readFile(join(raw, layout.unit), 'utf8')).toContain(`ExecStart=${layout.program} --free`);
  });

  it('is unpacked by tar without dpkg', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'porchlight.tar.gz'), packages.tarball);
    await run('tar', ['xzf', 'porchlight.tar.gz'], { cwd: folder });
    expect(await readFile(join(folder, layout.program), 'utf8')).toBe(program);
    expect(await readFile(join(folder, layout.settings), 'utf8')).toBe('PORCHLIGHT_SERVER=https://porchlight.example\n');
  });

  it('refuses a name that a tar archive cannot hold', () => {
    expect(() => tar([{ path: 'x'.repeat(120), mode: 0o644, bytes: Buffer.alloc(1) }], time)).toThrow('too long');
  });

  it.skipIf(!hasSystemd)("has a service file without errors by systemd's own check", async () => {
    const folder = await temporaryFolder();
    const unit = (await readUnit()).replace(layout.program, '/bin/true');
    const file = join(folder, 'porchlight-agent.service');
    await writeFile(file, unit);
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
    expect(stdout + stderr).not.toContain('porchlight-agent');
    const { stdout: exposure } = await run('systemd-analyze', ['security', '--offline=yes', '--threshold=60', file]);
    expect(exposure).toContain('Overall exposure');
  });

  it('has a service that systemd restarts within 5 s however it ended', async () => {
    const unit = await readUnit();
    expect(unit).toContain('\nRestart=always\n');
    expect(Number(/^RestartSec=(\d+)$/m.exec(unit)?.[1])).toBeLessThanOrEqual(5);
    expect(unit).toContain('\nStartLimitIntervalSec=0\n');
  });
});

describe('the scripts of the package', () => {
  let root: string;
  const systemctlCalls = () => readFile(join(root, 'systemctl'), 'utf8').catch(() => '');
  beforeEach(async () => {
    root = await temporaryFolder();
    for (const folder of ['bin', 'run/systemd/system', layout.folder, layout.state]) await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, 'bin', 'systemctl'), `#!/bin/sh\necho "$*" >> "${root}/systemctl"\n`);
    await writeFile(join(root, layout.program), program);
    for (const file of ['bin/systemctl', layout.program]) await chmod(join(root, file), 0o755);
  });

  /** Runs a package script as if dpkg had been called with `names`. Returns the exit code. */
  async function script(source: string, args: string[], env: Record<string, string> = {}, names = ['porchlight.deb']): Promise<number> {
    const file = join(root, 'script');
    await writeFile(file, source);
    const scriptEnv = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, DPKG_ROOT: root, ...env };
    const shell = ['-c', `sh "$0" ${args.join(' ')} < /dev/null; exit $?`, file, '-i', ...names];
    return run('sh', shell, { env: scriptEnv, cwd: root }).then(
      () => 0,
      (err: { code: number }) => err.code,
    );
  }

  const passedPaths = async () => (await readFile(join(root, layout.code), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);

  it.runIf(hasDpkg).each([['Porchlight [ABCD-EFGH] (1).deb'], ['./Porchlight%20[abcd-efgh].deb'], ['porchlight.deb']])(
    '[P3.4] pass the package name %s to the agent, which reads the device code from it',
    async (name) => {
      await writeFile(join(root, name), packages.deb);
      for (const path of [name, join(root, name)]) {
        expect(await script(postinst, ['configure'], {}, [path])).toBe(0);
        expect(await passedPaths()).toEqual([path]);
      }
      expect(await systemctlCalls()).toContain('daemon-reload\nenable porchlight-agent.service\nrestart porchlight-agent.service\n');
    },
  );

  it.runIf(hasDpkg)('A3: ignore the code in the name of another package in the same command', async () => {
    await writeFile(join(root, 'porchlight.deb'), packages.deb);
    await writeFile(join(root, 'invoice [KJHG-FDSA].deb'), '');
    expect(
      await script(postinst, ['configure'], {}, ['porchlight.deb', 'invoice [KJHG-FDSA].deb', '/nowhere/Porchlight [KJHG-FDSA].deb']),
    ).toBe(0);
    expect(await passedPaths()).toEqual(['porchlight.deb']);
  });

  it('start no service without systemd, and no service after an aborted upgrade', async () => {
    expect(await script(postinst, ['abort-upgrade', '1.0.0'])).toBe(0);
    expect(await systemctlCalls()).toBe('');
  });

  it.each([
    ['remove', { PORCHLIGHT_PIN: '482913' }, 0, 'disable --now porchlight-agent.service\n'],
    [
      'remove',
      { PORCHLIGHT_PIN: '482913', NAMES_STUCK: '1' },
      1,
      'disable --now porchlight-agent.service\nenable --now porchlight-agent.service\n',
    ],
    ['remove', { PORCHLIGHT_PIN: '111111' }, 1, ''],
    ['remove', {}, 1, ''],
    ['upgrade', {}, 0, ''],
    ['failed-upgrade', {}, 0, ''],
  ])('before dpkg removes files, the script stops the agent only if that is right: %s with %j', async (action, env, code, systemctl) => {
    expect(await script(prerm, [action], env)).toBe(code);
    expect(await systemctlCalls()).toBe(systemctl);
    const agentCalls = await readFile(join(root, layout.state, 'called'), 'utf8').catch(() => '');
    expect(agentCalls.startsWith('--uninstall')).toBe(action === 'remove');
  });

  it("delete the agent's state when the package is purged, and nothing when it is removed", async () => {
    expect(await script(postrm, ['remove'])).toBe(0);
    await access(join(root, layout.state));
    expect(await script(postrm, ['purge'])).toBe(0);
    await expect(access(join(root, layout.state))).rejects.toThrow('ENOENT');
  });
});

async function readUnit(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'porchlight.tar.gz'), packages.tarball);
  await run('tar', ['xzf', 'porchlight.tar.gz'], { cwd: folder });
  return readFile(join(folder, layout.unit), 'utf8');
}
