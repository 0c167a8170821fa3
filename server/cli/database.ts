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
import { checkSchema } from '../db/schema.ts';
import { lockDataFolder } from '../lib/data-lock.ts';

const timeoutMs = 60_000;

/** Opens and migrates the server's database. `close` restores its state: running or stopped. */
export async function openDatabase(config: Config): Promise<{ db: Db; close(): Promise<void> }> {
  const { url, close: stop } = await databaseAddress(config);
  const { db, close: disconnect } = openDb(url, 2);
  const close = async () => {
    await disconnect();
    await stop();
  };
  try {
    await migrate(db);
    await checkSchema(db);
    return { db, close };
  } catch (reason) {
    await close();
    throw reason;
  }
}

/** The URL of the server's database; the embedded one is started unless it runs. `close` restores its state. */
export async function databaseAddress({
  database_url,
  data_dir,
}: Pick<Config, 'database_url' | 'data_dir'>): Promise<{ url: string; close(): Promise<void> }> {
  if (database_url !== undefined) return { url: database_url, close: async () => {} };
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    return { url: await embedded(data_dir, closers), close };
  } catch (reason) {
    await close();
    throw reason;
  }
}

async function embedded(data_dir: string, closers: (() => Promise<void>)[]): Promise<string> {
  const folder = join(data_dir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + timeoutMs;
  // Prevents that the command that started the database stops it while another one uses it.
  let lock = await lockDataFolder(folder);
  for (; !lock && Date.now() < deadline; lock = await lockDataFolder(folder)) await sleep(50);
  if (lock) closers.push(lock.release);
  for (;;) {
    const running = await findPostmaster(join(folder, 'cluster'));
    if (running && (await probe(running.socketFolder)) === 'ready') return urlOf(running.socketFolder);
    try {
      const started = await startEmbedded({ folder, log: () => {} });
      closers.push(started.stop);
      return started.url;
    } catch (reason) {
      // A server is starting or stopping, and holds the lock.
      if (!(reason instanceof FolderInUse) || Date.now() > deadline) throw reason;
      await sleep(50);
    }
  }
}
