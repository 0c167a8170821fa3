import type { Release } from '@porchlight/contract/updates.ts';
import { caller } from '../../api/call.ts';
import { releaseKeyNow } from '../../api/keys.ts';
import { knownAs } from '../../lib/own-program.ts';
import type { Log } from '../../ports.ts';
import type { Store } from '../../state/store.ts';
import type { RunningAgent } from '../takeover.ts';
import { handOver } from './successor.ts';
import { startUpdater } from './updater.ts';

/** Far more than a slow computer needs. */
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

/** Keeps an installed agent at the newest version. */
export function autoUpdate({ release, store, server, life, args, env, execPath, log, took, leave }: AutoUpdateDeps): void {
  const call = caller(server);
  startUpdater({
    ...{ server, release, log },
    version: release.version,
    // A successor was started under the name that it had before the swap.
    program: release.program ?? knownAs(execPath),
    key: () => releaseKeyNow({ store, call, now: () => new Date() }, release.key),
    manifest: async () => (await call('GET /agent/update', {})).manifest,
    failed: store.failedUpdates,
    noteFailed: store.noteFailedUpdate,
    handOver: (program) => handOver({ program, args, env, timeouts: TIMEOUTS_MS, stepBack: life.stepBack, takeBack: life.takeBack, took }),
    done: async () => {
      await life.agent().close();
      leave();
    },
    now: () => new Date(),
    random: Math.random,
  });
}
