import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { root } from '../root.ts';
import { answers, until } from '../until.ts';

export const minutes = 2;

const namespaceArgs = ['--mount', '--propagation', 'private'];

export const smallDiskPossible = () =>
  process.platform === 'linux' && spawnSync('unshare', [...namespaceArgs, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const enoughMegabytes = 400;
/** Sizes in megabytes: each disk is full at another step of the first start. */
const sizes = [1, 8, 24, 38, 41, 44];

// $1: folder, $2: initial disk size, $3: Node, $4: server. Lists the files left by the first start between two lines.
const script = `
mount -t tmpfs -o size="$2"m tmpfs "$1" || exit 9
timeout -s TERM 45 "$3" "$4" > /dev/null; echo "ended $?"
ls "$1/postgres" 2>/dev/null; echo "listed"
mount -o remount,size=${enoughMegabytes}m "$1" && exec "$3" "$4"`;

export async function drill(log: (line: string) => void): Promise<string[]> {
  if (!smallDiskPossible()) {
    log('skipped: a disk of its own takes root on Linux');
    return [];
  }
  const problems: string[] = [];
  for (const size of sizes) {
    const startProblems = await firstStartOnSmallDisk(size);
    log(
      `a first start with ${size} MB: ${startProblems.length ? startProblems.join('; ') : 'named in a sentence, and the next start works'}`,
    );
    problems.push(...startProblems);
  }
  return problems;
}

/** Starts the server twice: on a disk that fills, then with free space. Returns problems, a sentence each. */
async function firstStartOnSmallDisk(megabytes: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-disk-'));
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'silent' };
  const child = spawn(
    'unshare',
    [...namespaceArgs, 'sh', '-c', script, '-', folder, String(megabytes), process.execPath, join(root, 'server', 'main.ts')],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const problems: string[] = [];
  try {
    await until('the end of the first start', () => out.includes('listed'), 120_000);
    // Exit codes 0 and 124: the space was just enough, and the server was stopped with its disk full.
    if (!/^ended (0|1|124)\n/.test(out)) problems.push(`with ${megabytes} MB the first start ended otherwise: ${out}`);
    if (
      out.startsWith('ended 1\n') &&
      !/^The disk (that holds .+ )?is full.*\. Free some space and start (Porchlight|it) again\.\n$/.test(err)
    ) {
      problems.push(`with ${megabytes} MB the first start says: ${err.trim()}`);
    }
    if (/cluster\.new-/.test(out)) problems.push(`with ${megabytes} MB half a database is left`);
    await until('the second start', () => answers(`http://127.0.0.1:${port}/readyz`), 120_000).catch(() =>
      problems.push(`with ${megabytes} MB the second start does not work: ${err.trim()}`),
    );
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
  return problems;
}
