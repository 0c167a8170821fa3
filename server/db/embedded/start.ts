import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, meansDiskFull } from './cluster.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { shortenLogRegularly } from './log-size.ts';
import { lockFolder } from './owner.ts';
import { findPostmaster, launch, type Postmaster, stopPostmaster } from './postmaster.ts';
import { createDatabase, probe, urlOf } from './probe.ts';
import { NoRoom, StartFailed } from './refusals.ts';
import { makeSocketFolder } from './socket-folder.ts';

const timeoutMs = 60_000;
/** PostgreSQL's message while the previous PostgreSQL is still stopping. */
const predecessorStopping = /lock file ".*" already exists|pre-existing shared memory block/;

export interface Embedded {
  url: string;
  /** Whether PostgreSQL was still running, without the process that started it. */
  adopted: boolean;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  folder: string;
  log(line: string): void;
  /** A server needs less than half of the usual number; tests open many servers on one PostgreSQL. */
  max_connections?: number;
}

/**
 * Opens the PostgreSQL in `folder`, and creates it at the first start. Only a unix socket: no port, no password. Throws the errors of
 * `refusals.ts`.
 */
export async function startEmbedded({ folder, log, max_connections = 100 }: EmbeddedOptions): Promise<Embedded> {
  const binaries = await findBinaries(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = await lockFolder(folder);
  try {
    const identity = await chooseIdentity(binaries.postgres, binaries.environment);
    const cluster = await ensureCluster(folder, binaries, identity);
    await identity.chown(cluster);
    await identity.chown(folder);
    const { postmaster, adopted } = await runningPostmaster(folder, cluster, binaries, identity, max_connections);
    const stopShortening = shortenLogRegularly(logFileIn(folder));
    if (adopted) log(`took over the PostgreSQL that an earlier run left behind (process ${postmaster.pid})`);
    return {
      url: urlOf(postmaster.socketFolder),
      adopted,
      stop: async () => {
        stopShortening();
        await stopPostmaster(postmaster.pid, cluster);
        await rmdir(postmaster.socketFolder).catch(() => {});
        await owner.release();
      },
    };
  } catch (reason) {
    await owner.release();
    throw meansDiskFull(reason) ? new NoRoom(folder) : reason;
  }
}

async function runningPostmaster(folder: string, cluster: string, binaries: Binaries, identity: Identity, max_connections: number) {
  const logFile = logFileIn(folder);
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(50)) {
    const runningServer = await findPostmaster(cluster);
    if (runningServer) {
      if (await isUsable(runningServer)) return { postmaster: runningServer, adopted: true };
      continue;
    }
    const socketFolder = await makeSocketFolder(folder, identity.uid);
    const launched = await launch(binaries, identity, cluster, socketFolder, logFile, max_connections);
    const postmaster = { pid: launched.pid, socketFolder };
    let ended = false;
    void launched.ended.then(() => {
      ended = true;
    });
    for (; !ended && Date.now() < end; await sleep(10)) {
      if (await isUsable(postmaster)) return { postmaster, adopted: false };
    }
    const output = await launched.output();
    if (!predecessorStopping.test(output)) throw new StartFailed(logFile, output.trim().split('\n').slice(-5).join('\n'));
  }
  throw new StartFailed(logFile, `(not ready after ${timeoutMs / 1000} s)`);
}

const logFileIn = (folder: string) => join(folder, 'postgres.log');

async function isUsable(postmaster: Postmaster): Promise<boolean> {
  const answer = await probe(postmaster.socketFolder);
  if (answer === 'empty') await createDatabase(postmaster.socketFolder);
  return answer !== 'not yet';
}
