import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, noRoomLeft } from './cluster.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { takeFolder } from './owner.ts';
import { findPostmaster, launch, type Postmaster, stopPostmaster } from './postmaster.ts';
import { createDatabase, probe, urlOf } from './probe.ts';
import { NoRoom, StartFailed } from './refusals.ts';
import { makeSocketFolder } from './socket-folder.ts';

const patience = 60_000;
/** What PostgreSQL says while the one before it is still on its way out. */
const stillDying = /lock file ".*" already exists|pre-existing shared memory block/;

export interface Embedded {
  /** A PostgreSQL URL through a unix socket, for pg and psql. */
  url: string;
  /** True when the database had outlived the process that started it, and we took it over. */
  adopted: boolean;
  stop(): Promise<void>;
}

/**
 * Opens the PostgreSQL whose files live in `folder`; makes it at the first start. It is reached through a unix socket only: no port,
 * no password. Throws one of `refusals.ts`.
 */
export async function startEmbedded(options: { folder: string; log: (line: string) => void }): Promise<Embedded> {
  const { folder, log } = options;
  const binaries = await findBinaries();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = await takeFolder(folder);
  try {
    const identity = await chooseIdentity(binaries.postgres);
    const cluster = await ensureCluster(folder, binaries, identity);
    await identity.own(cluster);
    await identity.own(folder);
    const { postmaster, adopted } = await running(folder, cluster, binaries, identity);
    if (adopted) log(`took over the PostgreSQL that an earlier run left behind (process ${postmaster.pid})`);
    return {
      url: urlOf(postmaster.socketFolder),
      adopted,
      stop: async () => {
        await stopPostmaster(postmaster.pid, cluster);
        await rmdir(postmaster.socketFolder).catch(() => {});
        await owner.release();
      },
    };
  } catch (reason) {
    await owner.release();
    throw noRoomLeft(reason) ? new NoRoom(folder) : reason;
  }
}

/** Adopts a living postmaster, waits for a dying one, or starts one. */
async function running(folder: string, cluster: string, binaries: Binaries, identity: Identity) {
  const logFile = join(folder, 'postgres.log');
  for (const end = Date.now() + patience; Date.now() < end; await sleep(50)) {
    const found = await findPostmaster(cluster);
    if (found) {
      if (await isUsable(found)) return { postmaster: found, adopted: true };
      continue;
    }
    const socketFolder = await makeSocketFolder(folder, identity.uid);
    const launched = await launch(binaries, identity, cluster, socketFolder, logFile);
    const postmaster = { pid: launched.pid, socketFolder };
    let ended = false;
    void launched.ended.then(() => {
      ended = true;
    });
    for (; !ended && Date.now() < end; await sleep(10)) {
      if (await isUsable(postmaster)) return { postmaster, adopted: false };
    }
    const said = await launched.said();
    if (!stillDying.test(said)) throw new StartFailed(logFile, said.trim().split('\n').slice(-5).join('\n'));
  }
  throw new StartFailed(logFile, `(not ready after ${patience / 1000} s)`);
}

async function isUsable(postmaster: Postmaster): Promise<boolean> {
  const answer = await probe(postmaster.socketFolder);
  if (answer === 'empty') await createDatabase(postmaster.socketFolder);
  return answer !== 'not yet';
}
