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

/** A tenth more or less, so that computers switched on together do not poll together. */
const POLL_MS = 6 * 3_600_000;
const jitter = 0.1;
const afterFailure = 15 * 60_000;

export interface UpdaterDeps {
  server: string;
  release: { target: UpdateTarget };
  /** The release key that this program was built with, or the newest that replaced it. */
  key: () => Promise<string>;
  version: string;
  program: string;
  manifest: () => Promise<SignedDocument | null>;
  failed: () => Promise<string[]>;
  noteFailed: (version: string) => Promise<unknown>;
  /** Starts the new program and hands over; false when everything is as before. */
  handOver: (program: string) => Promise<boolean>;
  /** The new program protects: this one may end. */
  done: () => Promise<void>;
  now: () => Date;
  random: () => number;
  log: Log;
}

/** Polls for a newer agent and hands over to it. A version that does not protect is given up, and not tried again. */
export function startUpdater(deps: UpdaterDeps): { close(): Promise<void> } {
  const stop = new AbortController();
  const rest = (ms: number) => sleep(ms * (1 - jitter + 2 * jitter * deps.random()), undefined, { signal: stop.signal }).catch(() => {});
  const loop = async () => {
    while (!stop.signal.aborted) {
      try {
        if (await updateRound(deps, stop.signal)) return;
        await rest(POLL_MS);
      } catch (err) {
        if (stop.signal.aborted) return;
        deps.log(
          `The newest version of Porchlight could not be taken (${err instanceof Error ? err.message : String(err)}). This one goes on.`,
        );
        await rest(afterFailure);
      }
    }
  };
  const looping = loop();
  return {
    close() {
      stop.abort();
      return looping;
    },
  };
}

/** True when another agent has taken over. Throws why an update was refused, or a network or disk error. */
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
  // The new agent protects whatever the disk says: the next start has the old program, which takes the update again.
  const kept = await swapIn(program, staged).then(
    () => '',
    (err: unknown) => ` It could not be put in the place of version ${version}: ${String(err)}.`,
  );
  log(`Version ${manifest.agent_version} has taken over.${kept}`);
  await deps.done();
  return true;
}
