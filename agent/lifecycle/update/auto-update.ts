import type { Release } from '@porchlight/contract/updates.ts';
import { caller } from '../../api/call.ts';
import { releaseKeyNow } from '../../api/keys.ts';
import { finalPath } from '../../lib/own-program.ts';
import type { Log } from '../../ports.ts';
import type { Store } from '../../state/store.ts';
import type { RunningAgent } from '../takeover.ts';
import { handOver } from './successor.ts';
import { startUpdater } from './updater.ts';

const TIMEOUTS_MS = { load: 60_000, stepBack: 30_000, protect: 30_000 };

export interface AutoUpdateDeps {
  release: Release;
  store: Store;
  server: string;
  life: RunningAgent;
  args: string[];
  env: NodeJS.ProcessEnv;
  execPath: string;
  log: Log;
  took?: ((pid: number) => void) | undefined;
  leave: () => void;
}

export function autoUpdate({ release, store, server, life, args, env, execPath, log, took, leave }: AutoUpdateDeps): void {
  const call = caller(server);
  startUpdater({
    ...{ server, release, log },
    version: release.version,
    // The program was started as a successor, still under its staged name.
    program: release.program ?? finalPath(execPath),
    key: () => releaseKeyNow({ store, call, now: () => new Date() }, release.key),
    manifest: async () => (await call('GET /agent/update', {})).manifest,
    failed: store.failedUpdates,
    noteFailed: store.noteFailedUpdate,
    handOver: (program) =>
      handOver({ program, args, env, timeouts: TIMEOUTS_MS, stepBack: life.stepBack, takeBack: life.takeBack, tookOver: took }),
    done: async () => {
      await life.agent().close();
      leave();
    },
    now: () => new Date(),
    random: Math.random,
  });
}
