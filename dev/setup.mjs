// What every command begins with, on whatever Node the machine has: look whether the packages are there, install them if not,
// and go on under a Node that runs TypeScript. This file and the *.mjs beside it must run on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

/**
 * Makes the packages ready, then runs `entry` (a path below the repository) under a Node that reads TypeScript. `help`: the answer to `--help`, which
 * installs and runs nothing. `longHelp`: the program answers `--help` itself, with more words, once the packages are there. `settings`: `whole` for
 * programs that need all settings, `values` for those that use a few; they are checked first, because installing takes a minute. `usual`: settings
 * for where neither the environment nor .env has them. `needs`: `production` for programs that run without the packages of development. `installs`:
 * false for a program that never changes the packages, and only names the command that does.
 */
export async function begin(entry, { help, longHelp = false, settings, usual = {}, needs = 'all', installs = true } = {}) {
  const asked = process.argv.slice(2).some((word) => word === '--help' || word === '-h');
  if (asked && !(longHelp && packagesAreThere(needs))) return console.log(help);
  // Child processes of tests and of `npm start` compile the same files over and over: with the cache they take half the time to start.
  process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled');
  if (settings && !asked) await checkSettings(settings === 'whole');
  for (const [name, value] of Object.entries(usual)) process.env[name] ||= value;
  if (installs) install(needs);
  else requirePackages(needs);
  const file = join(root, entry);
  if (!existsSync(file)) fail(`${entry} is not there.`);
  const own = ownNode();
  if (!own && !readsTypeScript(process.versions.node)) {
    fail(
      `Porchlight needs Node 22.18 or newer, and this is ${process.version}. There is no packaged one for this system: install a newer Node.`,
    );
  }
  if (!own || readsTypeScript(process.versions.node)) {
    process.argv[1] = file;
    await import(pathToFileURL(file).href);
    return;
  }
  const child = spawn(own, ['--disable-warning=ExperimentalWarning', file, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches the child by itself; what is sent to us alone is passed on.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

async function checkSettings(alsoMissing) {
  const [own, reader] = [join(root, '.env'), join(root, 'server', 'settings', 'first.ts')];
  if (existsSync(own)) process.loadEnvFile?.(own);
  // An older Node starts a newer one, which checks them.
  if (!readsTypeScript(process.versions.node) || !existsSync(reader)) return;
  const { checkBeforeInstall } = await import(pathToFileURL(reader).href);
  const wrong = checkBeforeInstall(process.env, alsoMissing);
  if (wrong) fail(wrong);
}

const readLock = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

function packagesAreThere(needs) {
  return isInstalled(readLock(), needs) && (readsTypeScript(process.versions.node) || ownNode() !== null);
}

/** Installing replaces every package, which nothing may do under a server that other people rely on. */
function requirePackages(needs) {
  if (isInstalled(readLock(), needs) && ownNodeRuns()) return;
  fail('Packages that the server needs are missing, or are not those of this version. This command installs them: npm ci --omit=dev');
}

function install(needs) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const stamp = join(modules, '.porchlight-lock');
  const hash = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  if (!isInstalled(readLock(), needs) || !ownNodeRuns()) {
    console.log('Installing the packages that Porchlight is made of; this takes about a minute, once.');
    // npm replaces node_modules, so it must not run on the Node that lies inside.
    const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes(`node_modules`));
    // With NODE_ENV=production npm leaves out what development needs.
    const parts = needs === 'all' ? ['--include=dev'] : [];
    const done = spawnSync('npm', ['ci', ...parts, '--no-audit', '--no-fund'], {
      cwd: root,
      env: { ...process.env, PATH: path.join(delimiter) },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const said = done.stderr ?? '';
    if (done.status !== 0) {
      // What npm thinks of the age of this Node helps nobody: another one comes with the packages.
      const lines = said.split('\n').filter((line) => !line.includes('EBADENGINE'));
      console.error(lines.join('\n').trim() || String(done.error ?? ''));
      fail(`Installing did not work${whyNotInstalled(said)}`);
    }
    if (!ownNodeRuns()) {
      rmSync(join(modules, '.package-lock.json'), { force: true });
      fail(`Installing did not work${tooLittleRoom}`);
    }
  }
  // The stamp says that everything is there, which a command that needs less does not know.
  if (!isInstalled(readLock(), 'all')) return;
  try {
    writeFileSync(stamp, hash);
  } catch {
    // Without the stamp the next command looks at the packages once more, and nothing else.
  }
}

const tooLittleRoom = ': the disk is full. Free about 1 GB and try the same command again; what is half there is replaced.';

function whyNotInstalled(said) {
  if (/ENOSPC|No space left on device/i.test(said)) return tooLittleRoom;
  if (/\b(EROFS|EACCES|EPERM)\b/.test(said)) {
    const cache = /npm.*cache|[\\/]\.npm\b/i.test(said) ? ', and into the folder .npm in your home folder' : '';
    return `: npm may not write here. Make ${root} yours, or copy it to a folder that is. Npm has to be able to write into it${cache}.`;
  }
  return '; what npm said stands above. Is this computer online? Then try the same command again.';
}

/** A disk that became full may leave half a program behind, and npm says nothing of it. */
function ownNodeRuns() {
  const own = ownNode();
  return !own || spawnSync(own, ['--version']).status === 0;
}

/** Does npm's own note of what it installed say the same as the lock file? Packages for other systems are left out of it. */
function isInstalled(lock, needs) {
  const note = join(modules, '.package-lock.json');
  if (!existsSync(note)) return false;
  const there = readPackages(note);
  if (!there) return false;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') || (needs === 'production' && wanted.dev)) return true;
    const found = there[path];
    return found ? found.version === wanted.version : Boolean(wanted.optional || wanted.devOptional);
  });
}

/** Null for a note that npm wrote half, before it was ended or found no room: then all is installed again. */
function readPackages(note) {
  try {
    return JSON.parse(readFileSync(note, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

/** The Node that came with the packages, or null. */
function ownNode() {
  const names = [
    `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
    `node-bin-${process.platform}-${process.arch}`,
  ];
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return names.map((name) => join(modules, name, 'bin', file)).find((path) => existsSync(path)) ?? null;
}

function readsTypeScript(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
