import type { UpdateFile, UpdateManifest, UpdateTarget } from '@porchlight/contract/updates.ts';

export interface Running {
  version: string;
  target: UpdateTarget;
  failed: string[];
}

export type Verdict = { take: UpdateFile[] } | { leave: 'old' | 'expired' | 'failed before' | 'not for this system' };

/** Whether a verified manifest offers an update for this program. A pure function. */
export function evaluateUpdate(manifest: UpdateManifest, running: Running, now: Date): Verdict {
  if (compare(manifest.agent_version, running.version) <= 0) return { leave: 'old' };
  if (Date.parse(manifest.expires) <= now.getTime()) return { leave: 'expired' };
  if (running.failed.includes(manifest.agent_version)) return { leave: 'failed before' };
  const ownFiles = manifest.files.filter(({ target }) => target === running.target);
  const names = ownFiles.map(({ name }) => name);
  if (!names.includes('agent') || new Set(names).size < names.length) return { leave: 'not for this system' };
  return { take: ownFiles };
}

function compare(leftVersion: string, rightVersion: string): number {
  const [a, b] = [leftVersion, rightVersion].map((version) => version.split('.').map(Number));
  for (let n = 0; n < 3; n++) {
    const difference = (a?.[n] ?? 0) - (b?.[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
