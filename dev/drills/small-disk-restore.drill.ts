import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@porchlight/server/db/embedded/start.ts';
import { porchlightProcess } from '@porchlight/server/testing/command.ts';
import pg from 'pg';
import { root } from '../root.ts';
import { smallDiskPossible } from './small-disk-start.drill.ts';

export const minutes = 3;

const SECRET_KEY = 'a secret key for drills, thirty-two characters';

// $1: folder, $2: backups, $3: Node, $4: the operator's command. Room for an empty database, then for everything.
const script = `
mount -t tmpfs -o size=160m tmpfs "$1" || exit 9
export DATA_DIR="$1/data"
"$3" --disable-warning=ExperimentalWarning "$4" restore "$2"; echo "first $?"
mount -o remount,size=1000m "$1"
"$3" --disable-warning=ExperimentalWarning "$4" restore "$2"; echo "second $?"`;

/** The disk of the database fills while 60 MB are restored; with more room the same command works. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  if (!smallDiskPossible()) return ['only root may mount a small disk'];
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-full-'));
  try {
    const backups = join(folder, 'backups');
    await makeBackup(join(folder, 'source'), backups);
    const disk = join(folder, 'disk');
    await mkdir(disk);
    const entry = join(root, 'server', 'cli', 'main.ts');
    const args = ['--mount', '--propagation', 'private', 'sh', '-c', script, '-', disk, backups, process.execPath, entry];
    const child = spawn('unshare', args, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, SECRET_KEY },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => void (output += String(text)));
    await once(child, 'close');
    log(output.trim());
    const problems: string[] = [];
    if (!/The disk of the database is full, so nothing was restored[\s\S]*first 1\n/.test(output))
      problems.push('the full disk is not reported');
    if (!/Restored 6\d rows[\s\S]*second 0\n/.test(output)) problems.push('with room again the restore does not work');
    return problems;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeBackup(dataDir: string, backups: string): Promise<void> {
  const env = { DATA_DIR: dataDir, SECRET_KEY };
  await porchlightProcess(['promo', 'list'], env);
  const { url, stop } = await startEmbedded({ folder: join(dataDir, 'postgres'), log: () => {} });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into feed_parts (sha256, bytes, created)
     select g::text, decode(string_agg(md5(random()::text || g::text || h::text), ''), 'hex'), now()
     from generate_series(1, 60) g, generate_series(1, 65000) h group by g`,
  );
  await client.end();
  await stop();
  const { code, err } = await porchlightProcess(['backup', '--to', backups, '--without-keys'], env);
  if (code !== 0) throw new Error(err);
}
