// What every command begins with, on whatever Node the machine has: look whether the packages are there, install them if not,
// and go on under a Node that runs TypeScript. This file and the *.mjs beside it must run on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

/** Makes the packages ready, then runs `entry` (a path below the repository) under a Node that reads TypeScript. */
export async function begin(entry) {
  install();
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
  // The terminal's Ctrl-C reaches the child by itself; what is sent to us alone is passed on.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

function install() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const stamp = join(modules, '.porchlight-lock');
  const hash = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  if (!isInstalled(JSON.parse(lock.toString()))) {
    console.log('Installing the packages that Porchlight is made of; this takes about a minute, once.');
    // npm replaces node_modules, so it must not run on the Node that lies inside.
    const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes(`node_modules`));
    const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: root,
      env: { ...process.env, PATH: path.join(delimiter) },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (done.status !== 0) {
      console.error((done.stderr || String(done.error ?? '')).trim());
      const full = /ENOSPC|No space left on device/i.test(done.stderr ?? '');
      fail(
        full
          ? 'Installing did not work: the disk is full. Free about 1 GB and try the same command again; what is half there is replaced.'
          : 'Installing did not work; what npm said stands above. Is this computer online? Then try the same command again.',
      );
    }
  }
  try {
    writeFileSync(stamp, hash);
  } catch {
    // Without the stamp the next command looks at the packages once more, and nothing else.
  }
}

/** Does npm's own note of what it installed say the same as the lock file? Packages for other systems are left out of it. */
function isInstalled(lock) {
  const note = join(modules, '.package-lock.json');
  if (!existsSync(note)) return false;
  const there = readPackages(note);
  if (!there) return false;
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/')) return true;
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
