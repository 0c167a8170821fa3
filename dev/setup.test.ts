// Tier: whole. It installs packages.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** Runs commands in a repository of one package, with a fake npm. */

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-'));
  for (const subfolder of ['dev', 'bin', 'node_modules']) mkdirSync(join(folder, subfolder));
  copyFileSync(join(root, 'dev', 'setup.mjs'), join(folder, 'dev', 'setup.mjs'));
  writeFileSync(join(folder, 'dev', 'start.mjs'), "import { begin } from './setup.mjs';\nawait begin('dev/entry.mjs');\n");
  writeFileSync(join(folder, 'dev', 'entry.mjs'), "console.log('it runs');\n");
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const note = () => join(folder, 'node_modules', '.package-lock.json');
const wholeNote = JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } });

const runStart = (npm: string) => run('start.mjs', npm);

function run(script: string, npm: string, env: Record<string, string> = {}) {
  writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const path = [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter);
  const result = spawnSync(process.execPath, [join(folder, 'dev', script)], { env: { PATH: path, ...env }, encoding: 'utf8' });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

test.skipIf(process.platform === 'win32').each([
  ['no note of what is installed', null],
  ['half a note, of an npm that was ended', wholeNote.slice(0, 20)],
  ['an empty note, of an npm that found no room', ''],
  ['a note of something else', '{"lockfileVersion":3}'],
])('the next npm command installs the packages again after a broken installation: %s', (_what, noteText) => {
  if (noteText !== null) writeFileSync(note(), noteText);
  const { code, out } = runStart(`echo '${wholeNote}' > '${note()}'`);
  expect([code, out]).toEqual([0, 'Installing the packages that Porchlight is made of; this takes about a minute, once.\nit runs\n']);
  // The next command installs nothing.
  expect(runStart('exit 1').out).toBe('it runs\n');
});

test.skipIf(process.platform === 'win32')(
  'installing packages on a full disk prints a clear error, and the next command installs them again',
  () => {
    const { code, err } = runStart("echo 'npm error code ENOSPC' >&2; exit 228");
    expect(code).toBe(1);
    expect(err).toContain('Installing did not work: the disk is full. Free about 1 GB and try the same command again');
    expect(existsSync(join(folder, 'node_modules', '.porchlight-lock'))).toBe(false);
    expect(runStart(`echo '${wholeNote}' > '${note()}'`).code).toBe(0);
    expect(readFileSync(note(), 'utf8')).toContain('1.0.0');
  },
);

const ownNode = () => join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');

test.skipIf(process.platform !== 'linux')('the next npm command detects and replaces a partially installed program', () => {
  mkdirSync(ownNode(), { recursive: true });
  const halfInstall = `printf '#!/bin/sh\nexit 139\n' > '${ownNode()}/node'; chmod +x '${ownNode()}/node'; echo '${wholeNote}' > '${note()}'`;
  const firstRun = runStart(halfInstall);
  expect([firstRun.code, firstRun.err]).toEqual([
    1,
    'Installing did not work: the disk is full. Free about 1 GB and try the same command again; what is half there is replaced.\n',
  ]);
  const secondRun = runStart(`ln -sf '${process.execPath}' '${ownNode()}/node'; echo '${wholeNote}' > '${note()}'`);
  expect([secondRun.code, secondRun.out]).toEqual([0, expect.stringContaining('it runs\n')]);
});

test.skipIf(process.platform === 'win32')(
  "installing packages into a folder without write permission prints a clear error, without npm's warnings about Node",
  () => {
    const { code, err } = runStart("echo 'npm warn EBADENGINE old' >&2; echo 'npm error EACCES: mkdir /home/anna/.npm' >&2; exit 243");
    expect(code).toBe(1);
    expect(err).toBe(
      `npm error EACCES: mkdir /home/anna/.npm\nInstalling did not work: npm may not write here. Make ${folder} yours, or copy it to a folder that is. Npm has to be able to write into it, and into the folder .npm in your home folder.\n`,
    );
  },
);

/** A tree after `npm ci --omit=dev`: the package b is only for development. */
function installProductionPackages() {
  const packages = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0', dev: true } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(note(), wholeNote);
  const program = (options: string) => `import { begin } from './setup.mjs';\nawait begin('dev/entry.mjs', ${options});\n`;
  writeFileSync(join(folder, 'dev', 'serve.mjs'), program("{ needs: 'production', installs: false }"));
  writeFileSync(join(folder, 'dev', 'command.mjs'), program("{ needs: 'production' }"));
}

test.skipIf(process.platform === 'win32')(
  'a tree without packages of development runs the programs of production, which install nothing',
  () => {
    installProductionPackages();
    for (const script of ['serve.mjs', 'command.mjs']) {
      expect(run(script, 'echo npm ran; exit 1')).toEqual({ code: 0, out: 'it runs\n', err: '' });
    }
    expect(existsSync(join(folder, 'node_modules', '.porchlight-lock'))).toBe(false);
  },
);

test.skipIf(process.platform === 'win32')('a program of development installs all packages, although NODE_ENV is production', () => {
  installProductionPackages();
  const { code, out } = run('start.mjs', `echo "$@" > '${folder}/arguments'; cp package-lock.json '${note()}'`, { NODE_ENV: 'production' });
  expect([code, out]).toEqual([0, expect.stringContaining('it runs\n')]);
  expect(readFileSync(join(folder, 'arguments'), 'utf8')).toContain('ci --include=dev');
});

test.skipIf(process.platform === 'win32').each([
  ['no packages', null],
  ['packages of another version', wholeNote.replace('1.0.0', '0.9.0')],
  ['half an installation', wholeNote.slice(0, 20)],
])('npm run serve with %s names the command that installs them, and installs nothing', (_what, noteText) => {
  installProductionPackages();
  if (noteText === null) rmSync(note());
  else writeFileSync(note(), noteText);
  const { code, out, err } = run('serve.mjs', `touch '${folder}/installed'`);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^Packages that the server needs are missing, .* This command installs them: npm ci --omit=dev\n$/);
  expect(existsSync(join(folder, 'installed'))).toBe(false);
});

const commands = filesBelow('dev', /\.mjs$/).filter((file) => /^dev\/[^/]+$/.test(file) && !file.endsWith('/setup.mjs'));

test.skipIf(process.platform === 'win32').each(commands)(
  'the command %s prints --help without the packages, and installs and runs nothing',
  (file) => {
    copyFileSync(join(root, file), join(folder, file));
    writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\ntouch '${folder}/installed'\n`, { mode: 0o755 });
    const env = { PATH: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter) };
    const result = spawnSync(process.execPath, [join(folder, file), '--help'], { env, encoding: 'utf8' });
    expect([result.status, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toMatch(/^npm (start|test|run [\w -]+)\b.*\n[^]*--help/);
    expect(existsSync(join(folder, 'installed'))).toBe(false);
  },
);
