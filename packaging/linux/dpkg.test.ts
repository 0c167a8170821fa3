import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { requirePrograms } from '../testing/skip.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { layout } from './layout.ts';
import { linuxPackages } from './package.ts';

/** A fake agent: logs its calls, and accepts its removal only with the PIN 482913. */
const program = (version: string) => `#!/bin/sh
# ${version}
# Beside the notes of the system's programs: when it was asked counts.
[ "$1" != --restore-names ] || { echo "agent $*" >> "$AGENT_DATA_DIR/../../../asked"; exit 0; }
read -r pin
echo "$* $pin" >> "$AGENT_DATA_DIR/called"
[ "$pin" = 482913 ]
`;
const packaged = (version: string) =>
  linuxPackages({
    ...{ version, architecture: 'amd64', server: 'https://porchlight.example', time: 1_790_000_000 },
    program: Buffer.from(program(version)),
    beside: { 'koffi.node': Buffer.from('native'), 'operator.json': Buffer.from('{}') },
  });

/** A disk with fakes of systemd and desktop programs, which log their calls. */
let root: string;
const pathInRoot = (path: string) => join(root, path);
const existsInRoot = (path: string) => existsSync(pathInRoot(path));
const text = (path: string) => readFileSync(pathInRoot(path), 'utf8');
const loggedCalls = () => (existsInRoot('asked') ? text('asked').trim().split('\n') : []);

beforeEach(async () => {
  root = await temporaryFolder();
  for (const path of ['bin', 'run/systemd/system', 'var/lib/dpkg/updates', 'var/lib/dpkg/info', layout.state])
    mkdirSync(pathInRoot(path), { recursive: true });
  for (const path of ['status', 'available']) writeFileSync(pathInRoot(`var/lib/dpkg/${path}`), '');
  for (const name of ['systemctl', 'update-desktop-database'])
    writeFileSync(pathInRoot(`bin/${name}`), `#!/bin/sh\necho ${name} "$*" >> "${root}/asked"\n`, { mode: 0o755 });
});

function dpkg(...args: string[]): { status: number | null; output: string } {
  const trial = [`--root=${root}`, '--force-script-chrootless', '--force-not-root', '--force-depends', '--log=/dev/null'];
  const env = { PATH: `${pathInRoot('bin')}:/usr/sbin:/usr/bin:/sbin:/bin`, PORCHLIGHT_PIN: pin };
  const { status, stdout, stderr } = spawnSync('dpkg', [...trial, ...args], { env, encoding: 'utf8', input: '' });
  return { status, output: `${stdout}${stderr}` };
}
let pin = '';
const state = () =>
  spawnSync('dpkg-query', [`--admindir=${pathInRoot('var/lib/dpkg')}`, '-W', '-f=${Status} ${Version}', 'porchlight-agent'], {
    encoding: 'utf8',
  }).stdout;

function install(version: string, name: string): void {
  const file = pathInRoot(name);
  writeFileSync(file, packaged(version).deb);
  const { status, output } = dpkg('-i', file);
  expect(status, output).toBe(0);
}

describe('the package for Linux under dpkg', () => {
  beforeEach((context) => {
    requirePrograms(context, { dpkg: 'dpkg' });
    pin = '';
  });

  test('[P3.4] installing passes the code in its name to the agent and starts it', () => {
    install('1.0.0', 'Porchlight [ABCD-EFGH] (1).deb');
    expect(state()).toBe('install ok installed 1.0.0');
    expect(text(layout.program)).toBe(program('1.0.0'));
    expect(text(layout.code)).toContain('Porchlight [ABCD-EFGH] (1).deb');
    expect(lstatSync(pathInRoot(layout.code)).mode & 0o777).toBe(0o600);
    expect(loggedCalls()).toEqual([
      'systemctl daemon-reload',
      'systemctl enable porchlight-agent.service',
      'systemctl restart porchlight-agent.service',
      `update-desktop-database -q ${pathInRoot('usr/share/applications')}`,
    ]);
  });

  test('upgrading does not stop the agent first, needs no PIN, and preserves changed settings', () => {
    install('1.0.0', 'porchlight.deb');
    writeFileSync(pathInRoot(layout.settings), 'PORCHLIGHT_SERVER=https://other.example\n');
    writeFileSync(pathInRoot(`${layout.state}/identity.json`), '{}');
    writeFileSync(pathInRoot('asked'), '');
    install('1.0.1', 'porchlight-1.0.1.deb');
    expect(state()).toBe('install ok installed 1.0.1');
    expect(text(layout.program)).toBe(program('1.0.1'));
    expect(text(layout.settings)).toContain('other.example');
    expect(existsInRoot(`${layout.state}/identity.json`)).toBe(true);
    expect(loggedCalls().filter((line) => / (stop|disable) /.test(line))).toEqual([]);
    expect(loggedCalls()).toContain('systemctl restart porchlight-agent.service');
    expect(existsInRoot(`${layout.state}/called`)).toBe(false);
  });

  test('[P4.6] removing needs the right PIN and leaves only the agent’s state; purging removes the state too', () => {
    install('1.0.0', 'porchlight.deb');
    // Files that an update added; dpkg does not know them.
    for (const name of ['porchlight-agent.old', 'koffi-9.node']) writeFileSync(pathInRoot(`${layout.folder}/${name}`), '');
    pin = '111111';
    expect(dpkg('-r', 'porchlight-agent').output).toContain('Porchlight stays: nothing was removed.');
    for (const path of [layout.program, layout.unit, layout.menu]) expect(existsInRoot(path)).toBe(true);
    expect(state()).toMatch(/ ok installed 1\.0\.0$/);
    pin = '482913';
    expect(dpkg('-r', 'porchlight-agent').status).toBe(0);
    expect(text(`${layout.state}/called`).trim().split('\n')).toEqual(['--uninstall 111111', '--uninstall 482913']);
    for (const path of [layout.folder, layout.unit, layout.menu, layout.icon]) expect(existsInRoot(path), path).toBe(false);
    expect(loggedCalls().slice(-4)).toEqual([
      'systemctl disable --now porchlight-agent.service',
      'agent --restore-names',
      'systemctl daemon-reload',
      `update-desktop-database -q ${pathInRoot('usr/share/applications')}`,
    ]);
    expect(existsInRoot(layout.settings)).toBe(true);
    expect(dpkg('-P', 'porchlight-agent').status).toBe(0);
    for (const path of [layout.state, '/etc/porchlight']) expect(existsInRoot(path), path).toBe(false);
    expect(readdirSync(pathInRoot('var/lib/dpkg/info')).filter((name) => name.startsWith('porchlight'))).toEqual([]);
  });
});

test('unpacking the archive at the root leaves /lib and /bin as links into /usr', () => {
  mkdirSync(pathInRoot('usr/lib'), { recursive: true });
  symlinkSync('usr/lib', pathInRoot('lib'));
  writeFileSync(pathInRoot('porchlight.tar.gz'), packaged('1.0.0').tarball);
  execFileSync('tar', ['xzf', 'porchlight.tar.gz'], { cwd: root });
  expect(lstatSync(pathInRoot('lib')).isSymbolicLink()).toBe(true);
  expect(text(layout.unit)).toContain('[Service]');
});
