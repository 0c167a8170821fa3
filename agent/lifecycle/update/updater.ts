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

/** In milliseconds; a tenth more or less, so that computers that were switched on together do not come together. */
const POLL_MS = 6 * 3_600_000;
const jitter = 0.1;
const afterFailure = 15 * 60_000;

export interface UpdaterDeps {
  server: string;
  release: { target: UpdateTarget };
  /** What signs updates now: the release key that this program was built with, or the last one that came after it. */
  key: () => Promise<string>;
  version: string;
  /** The file that is started when this computer starts. */
  program: string;
  manifest: () => Promise<SignedDocument | null>;
  failed: () => Promise<string[]>;
  noteFailed: (version: string) => Promise<unknown>;
  /** Starts the new program and hands over; false when all is as before. */
  handOver: (program: string) => Promise<boolean>;
  /** The new one protects, and is what is started from now on: this one may go. */
  done: () => Promise<void>;
  now: () => Date;
  random: () => number;
  log: Log;
}

/** Looks for a newer agent now and then, and makes room for it. One that does not protect is given up, and not tried again. */
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

/** True when another agent has taken over. Throws why an update was not believed, or what the network or the disk threw. */
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
  // The new one protects, whatever the disk says now: at the next start it is the old one again, and takes the update once more.
  const kept = await swapIn(program, staged).then(
    () => '',
    (err: unknown) => ` It could not be put in the place of version ${version}: ${String(err)}.`,
  );
  log(`Version ${manifest.agent_version} has taken over.${kept}`);
  await deps.done();
  return true;
}
