import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { root } from '../root.ts';
import { answers, until } from '../until.ts';

const apart = ['--mount', '--propagation', 'private'];

/** A disk of one's own takes root on Linux. */
export const smallDiskPossible = () =>
  process.platform === 'linux' && spawnSync('unshare', [...apart, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** In megabytes: enough for everything. */
const enough = 400;

// $1: the folder, $2: how large the disk is at first, $3: Node, $4: the server. What the first start leaves is listed between two lines.
const script = `
mount -t tmpfs -o size="$2"m tmpfs "$1" || exit 9
timeout -s TERM 45 "$3" "$4" > /dev/null; echo "ended $?"
ls "$1/postgres" 2>/dev/null; echo "listed"
mount -o remount,size=${enough}m "$1" && exec "$3" "$4"`;

/**
 * The first start of a server whose disk of so many megabytes fills meanwhile, and the second one on the same folder once there is room. Answers what was
 * wrong, one sentence each.
 */
export async function firstStartOnSmallDisk(megabytes: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-disk-'));
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'silent' };
  const child = spawn(
    'unshare',
    [...apart, 'sh', '-c', script, '-', folder, String(megabytes), process.execPath, join(root, 'server', 'main.ts')],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const wrong: string[] = [];
  try {
    await until('the end of the first start', () => out.includes('listed'), 120_000);
    // With 0 or 124 it had just enough room to start, and was stopped with its disk full.
    if (!/^ended (0|1|124)\n/.test(out)) wrong.push(`with ${megabytes} MB the first start ended otherwise: ${out}`);
    if (
      out.startsWith('ended 1\n') &&
      !/^The disk (that holds .+ )?is full.*\. Free some space and start (Porchlight|it) again\.\n$/.test(err)
    ) {
      wrong.push(`with ${megabytes} MB the first start says: ${err.trim()}`);
    }
    if (/cluster\.new-/.test(out)) wrong.push(`with ${megabytes} MB half a database is left`);
    await until('the second start', () => answers(`http://127.0.0.1:${port}/readyz`), 120_000).catch(() =>
      wrong.push(`with ${megabytes} MB the second start does not work: ${err.trim()}`),
    );
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
  return wrong;
}
