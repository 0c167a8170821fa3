import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { findPostmaster } from '../db/embedded/postmaster.ts';
import { probe, urlOf } from '../db/embedded/probe.ts';
import { FolderInUse } from '../db/embedded/refusals.ts';
import { startEmbedded } from '../db/embedded/start.ts';
import { migrate } from '../db/migrate.ts';
import { type Db, openDb } from '../db/open.ts';
import { lockDataFolder } from '../lib/data-lock.ts';

const patience = 60_000;

/** The server's database, whether the server runs or not, in its newest form. `close` leaves it as it was found: running or stopped. */
export async function openDatabase(config: Config): Promise<{ db: Db; close(): Promise<void> }> {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const url = config.database_url ?? (await embedded(config.data_dir, closing));
    const opened = openDb(url, 2);
    closing.push(opened.close);
    await migrate(opened.db);
    return { db: opened.db, close };
  } catch (reason) {
    await close();
    throw reason;
  }
}

/** The embedded database: the one that runs, else one started for this command alone. */
async function embedded(data_dir: string, closing: (() => Promise<void>)[]): Promise<string> {
  const folder = join(data_dir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const end = Date.now() + patience;
  // One command after the other: one that started the database must not stop it under the next one's feet.
  let turn = await lockDataFolder(folder);
  for (; !turn && Date.now() < end; turn = await lockDataFolder(folder)) await sleep(50);
  if (turn) closing.push(turn.release);
  for (;;) {
    const running = await findPostmaster(join(folder, 'cluster'));
    if (running && (await probe(running.socketFolder)) === 'ready') return urlOf(running.socketFolder);
    try {
      const started = await startEmbedded({ folder, log: () => {} });
      closing.push(started.stop);
      return started.url;
    } catch (reason) {
      // Someone has the folder and the database is not ready: a server that is just starting, or stopping.
      if (!(reason instanceof FolderInUse) || Date.now() > end) throw reason;
      await sleep(50);
    }
  }
}
