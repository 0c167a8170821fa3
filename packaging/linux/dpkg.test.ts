import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../testing/left-out.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { layout } from './layout.ts';
import { linuxPackages } from './package.ts';

/** Stands in for the agent: notes how it was called, and lets itself be removed with the PIN 482913 alone. */
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

/** A computer's disk with systemd and a desktop on it, whose programs note what they are asked. */
let root: string;
const at = (path: string) => join(root, path);
const there = (path: string) => existsSync(at(path));
const text = (path: string) => readFileSync(at(path), 'utf8');
const asked = () => (there('asked') ? text('asked').trim().split('\n') : []);

beforeEach(async () => {
  root = await temporaryFolder();
  for (const path of ['bin', 'run/systemd/system', 'var/lib/dpkg/updates', 'var/lib/dpkg/info', layout.state])
    mkdirSync(at(path), { recursive: true });
  for (const path of ['status', 'available']) writeFileSync(at(`var/lib/dpkg/${path}`), '');
  for (const name of ['systemctl', 'update-desktop-database'])
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\necho ${name} "$*" >> "${root}/asked"\n`, { mode: 0o755 });
});

function dpkg(...args: string[]): { status: number | null; output: string } {
  const trial = [`--root=${root}`, '--force-script-chrootless', '--force-not-root', '--force-depends', '--log=/dev/null'];
  const env = { PATH: `${at('bin')}:/usr/sbin:/usr/bin:/sbin:/bin`, PORCHLIGHT_PIN: pin };
  const { status, stdout, stderr } = spawnSync('dpkg', [...trial, ...args], { env, encoding: 'utf8', input: '' });
  return { status, output: `${stdout}${stderr}` };
}
let pin = '';
const state = () =>
  spawnSync('dpkg-query', [`--admindir=${at('var/lib/dpkg')}`, '-W', '-f=${Status} ${Version}', 'porchlight-agent'], { encoding: 'utf8' })
    .stdout;

function install(version: string, name: string): void {
  const file = at(name);
  writeFileSync(file, packaged(version).deb);
  const { status, output } = dpkg('-i', file);
  expect(status, output).toBe(0);
}

describe('the package for Linux under dpkg', () => {
  beforeEach((context) => {
    needs(context, { dpkg: 'dpkg' });
    pin = '';
  });

  test('[P3.4] is installed, hands the code of its name to the agent, and is started', () => {
    install('1.0.0', 'Porchlight [ABCD-EFGH] (1).deb');
    expect(state()).toBe('install ok installed 1.0.0');
    expect(text(layout.program)).toBe(program('1.0.0'));
    expect(text(layout.code)).toContain('Porchlight [ABCD-EFGH] (1).deb');
    expect(lstatSync(at(layout.code)).mode & 0o777).toBe(0o600);
    expect(asked()).toEqual([
      'systemctl daemon-reload',
      'systemctl enable porchlight-agent.service',
      'systemctl restart porchlight-agent.service',
      `update-desktop-database -q ${at('usr/share/applications')}`,
    ]);
  });

  test('a newer version is installed over it without stopping the agent first, without the PIN, and keeps changed settings', () => {
    install('1.0.0', 'porchlight.deb');
    writeFileSync(at(layout.settings), 'PORCHLIGHT_SERVER=https://other.example\n');
    writeFileSync(at(`${layout.state}/identity.json`), '{}');
    writeFileSync(at('asked'), '');
    install('1.0.1', 'porchlight-1.0.1.deb');
    expect(state()).toBe('install ok installed 1.0.1');
    expect(text(layout.program)).toBe(program('1.0.1'));
    expect(text(layout.settings)).toContain('other.example');
    expect(there(`${layout.state}/identity.json`)).toBe(true);
    expect(asked().filter((line) => / (stop|disable) /.test(line))).toEqual([]);
    expect(asked()).toContain('systemctl restart porchlight-agent.service');
    expect(there(`${layout.state}/called`)).toBe(false);
  });

  test('[P4.6] removing needs the right PIN and leaves only the agent’s state; purging removes that too', () => {
    install('1.0.0', 'porchlight.deb');
    // An update has been here, of which dpkg knows nothing.
    for (const name of ['porchlight-agent.old', 'koffi-9.node']) writeFileSync(at(`${layout.folder}/${name}`), '');
    pin = '111111';
    expect(dpkg('-r', 'porchlight-agent').output).toContain('Porchlight stays: nothing was removed.');
    for (const path of [layout.program, layout.unit, layout.menu]) expect(there(path)).toBe(true);
    expect(state()).toMatch(/ ok installed 1\.0\.0$/);
    pin = '482913';
    expect(dpkg('-r', 'porchlight-agent').status).toBe(0);
    expect(text(`${layout.state}/called`).trim().split('\n')).toEqual(['--uninstall 111111', '--uninstall 482913']);
    for (const path of [layout.folder, layout.unit, layout.menu, layout.icon]) expect(there(path), path).toBe(false);
    expect(asked().slice(-4)).toEqual([
      'systemctl disable --now porchlight-agent.service',
      'agent --restore-names',
      'systemctl daemon-reload',
      `update-desktop-database -q ${at('usr/share/applications')}`,
    ]);
    expect(there(layout.settings)).toBe(true);
    expect(dpkg('-P', 'porchlight-agent').status).toBe(0);
    for (const path of [layout.state, '/etc/porchlight']) expect(there(path), path).toBe(false);
    expect(readdirSync(at('var/lib/dpkg/info')).filter((name) => name.startsWith('porchlight'))).toEqual([]);
  });
});

test('the archive, unpacked at the root, leaves /lib and /bin as links into /usr', () => {
  mkdirSync(at('usr/lib'), { recursive: true });
  symlinkSync('usr/lib', at('lib'));
  writeFileSync(at('porchlight.tar.gz'), packaged('1.0.0').tarball);
  execFileSync('tar', ['xzf', 'porchlight.tar.gz'], { cwd: root });
  expect(lstatSync(at('lib')).isSymbolicLink()).toBe(true);
  expect(text(layout.unit)).toContain('[Service]');
});
