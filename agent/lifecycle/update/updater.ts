import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { type UpdateTarget, updateManifest } from '@porchlight/contract/updates.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import type { Log } from '../../ports.ts';
import { evaluateUpdate } from './offer.ts';
import { stage } from './stage.ts';
import { swapIn } from './swap.ts';

const POLL_MS = 6 * 3_600_000;
const jitter = 0.1;
const afterFailure = 15 * 60_000;

export interface UpdaterDeps {
  server: string;
  release: { target: UpdateTarget };
  /** The release key built into this program, or the newest key that replaced it. */
  key: () => Promise<string>;
  version: string;
  program: string;
  manifest: () => Promise<SignedDocument | null>;
  failed: () => Promise<string[]>;
  noteFailed: (version: string) => Promise<unknown>;
  handOver: (program: string) => Promise<boolean>;
  done: () => Promise<void>;
  now: () => Date;
  random: () => number;
  log: Log;
}

/** Polls for updates and hands over to them. A version that does not protect is not tried again. */
export function startUpdater(deps: UpdaterDeps): { close(): Promise<void> } {
  const stopController = new AbortController();
  const waitAbout = (ms: number) =>
    sleep(ms * (1 - jitter + 2 * jitter * deps.random()), undefined, { signal: stopController.signal }).catch(() => {});
  const loop = async () => {
    while (!stopController.signal.aborted) {
      try {
        if (await updateRound(deps, stopController.signal)) return;
        await waitAbout(POLL_MS);
      } catch (err) {
        if (stopController.signal.aborted) return;
        deps.log(
          `The newest version of Porchlight could not be taken (${err instanceof Error ? err.message : String(err)}). This one goes on.`,
        );
        await waitAbout(afterFailure);
      }
    }
  };
  const looping = loop();
  return {
    close() {
      stopController.abort();
      return looping;
    },
  };
}

/** True when a new agent has taken over. Throws why an update was refused, or a network or disk error. */
export async function updateRound(deps: UpdaterDeps, stop: AbortSignal): Promise<boolean> {
  const { server, release, version, program, log } = deps;
  const document = await deps.manifest();
  if (!document) return false;
  const manifest = openDocument(document, await deps.key(), updateManifest);
  if (!manifest) throw new Error('it is not signed by whom this one came from');
  const verdict = evaluateUpdate(manifest, { version, target: release.target, failed: await deps.failed() }, deps.now());
  if ('leave' in verdict) return false;
  const staged = await stage(server, verdict.take, dirname(program), program, stop);
  stop.throwIfAborted();
  if (!(await deps.handOver(staged))) {
    await deps.noteFailed(manifest.agent_version);
    await rm(staged, { force: true });
    log(`Version ${manifest.agent_version} did not protect this computer. Version ${version} goes on.`);
    return false;
  }
  // The new agent continues even if the swap on disk fails: the next start then runs the old program, which updates again.
  const swapProblem = await swapIn(program, staged).then(
    () => '',
    (err: unknown) => ` It could not be put in the place of version ${version}: ${String(err)}.`,
  );
  log(`Version ${manifest.agent_version} has taken over.${swapProblem}`);
  await deps.done();
  return true;
}
