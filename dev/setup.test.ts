import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** A repository of one package, with an npm that does what a row says. */

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'));
  for (const below of ['dev', 'bin', 'node_modules']) mkdirSync(join(folder, below));
  copyFileSync(join(root, 'dev', 'setup.mjs'), join(folder, 'dev', 'setup.mjs'));
  writeFileSync(join(folder, 'dev', 'start.mjs'), "import { begin } from './setup.mjs';\nawait begin('dev/entry.mjs');\n");
  writeFileSync(join(folder, 'dev', 'entry.mjs'), "console.log('it runs');\n");
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const note = () => join(folder, 'node_modules', '.package-lock.json');
const whole = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } });

function begin(npm: string) {
  writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const path = [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter);
  const done = spawnSync(process.execPath, [join(folder, 'dev', 'start.mjs')], { env: { PATH: path }, encoding: 'utf8' });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

test.skipIf(process.platform === 'win32').each([
  ['no note of what is installed', null],
  ['half a note, of an npm that was ended', whole.slice(0, 20)],
  ['an empty note, of an npm that found no room', ''],
  ['a note of something else', '{"lockfileVersion":3}'],
])('%s is a reason to install again', (_what, there) => {
  if (there !== null) writeFileSync(note(), there);
  const { code, out } = begin(`echo '${whole}' > '${note()}'`);
  expect([code, out]).toEqual([0, 'Installing the packages that Porchlight is made of; this takes about a minute, once.\nit runs\n']);
  // The next command installs nothing.
  expect(begin('exit 1').out).toBe('it runs\n');
});

test.skipIf(process.platform === 'win32')('a full disk is named, nothing counts as installed, and the next command installs', () => {
  const { code, err } = begin("echo 'npm error code ENOSPC' >&2; exit 228");
  expect(code).toBe(1);
  expect(err).toContain('Installing did not work: the disk is full. Free about 1 GB and try the same command again');
  expect(existsSync(join(folder, 'node_modules', '.porchlight-lock'))).toBe(false);
  expect(begin(`echo '${whole}' > '${note()}'`).code).toBe(0);
  expect(readFileSync(note(), 'utf8')).toContain('1.0.0');
});

const ownNode = () => join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');

test.skipIf(process.platform !== 'linux')(
  'half a program that npm left behind without a word is found, and replaced by the next command',
  () => {
    mkdirSync(ownNode(), { recursive: true });
    const half = `printf '#!/bin/sh\nexit 139\n' > '${ownNode()}/node'; chmod +x '${ownNode()}/node'; echo '${whole}' > '${note()}'`;
    const first = begin(half);
    expect([first.code, first.err]).toEqual([
      1,
      'Installing did not work: the disk is full. Free about 1 GB and try the same command again; what is half there is replaced.\n',
    ]);
    const again = begin(`ln -sf '${process.execPath}' '${ownNode()}/node'; echo '${whole}' > '${note()}'`);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('it runs\n')]);
  },
);

test.skipIf(process.platform === 'win32')('a folder that npm may not write into is named, and what npm thinks of this Node is not', () => {
  const { code, err } = begin("echo 'npm warn EBADENGINE old' >&2; echo 'npm error EACCES: mkdir /home/anna/.npm' >&2; exit 243");
  expect(code).toBe(1);
  expect(err).toBe(
    `npm error EACCES: mkdir /home/anna/.npm\nInstalling did not work: npm may not write here. Make ${folder} yours, or copy it to a folder that is. Npm has to be able to write into it, and into the folder .npm in your home folder.\n`,
  );
});

const commands = filesBelow('dev', /\.mjs$/).filter((file) => !file.endsWith('/setup.mjs'));

test.skipIf(process.platform === 'win32').each(commands)(
  '%s answers --help without the packages, and installs and runs nothing',
  (file) => {
    copyFileSync(join(root, file), join(folder, file));
    writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\ntouch '${folder}/installed'\n`, { mode: 0o755 });
    const env = { PATH: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter) };
    const done = spawnSync(process.execPath, [join(folder, file), '--help'], { env, encoding: 'utf8' });
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^npm (start|test|run [\w -]+)\b.*\n[^]*--help/);
    expect(existsSync(join(folder, 'installed'))).toBe(false);
  },
);
