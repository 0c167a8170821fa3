import type { UpdateFile, UpdateManifest, UpdateTarget } from '@porchlight/contract/updates.ts';

export interface Running {
  version: string;
  target: UpdateTarget;
  /** Versions that failed are not tried again. */
  failed: string[];
}

export type Verdict = { take: UpdateFile[] } | { leave: 'old' | 'expired' | 'failed before' | 'not for this system' };

/** Whether a manifest with a good signature offers an update to take. Pure. */
export function evaluateUpdate(manifest: UpdateManifest, running: Running, now: Date): Verdict {
  if (compare(manifest.agent_version, running.version) <= 0) return { leave: 'old' };
  if (Date.parse(manifest.expires) <= now.getTime()) return { leave: 'expired' };
  if (running.failed.includes(manifest.agent_version)) return { leave: 'failed before' };
  const mine = manifest.files.filter(({ target }) => target === running.target);
  const names = mine.map(({ name }) => name);
  if (!names.includes('agent') || new Set(names).size < names.length) return { leave: 'not for this system' };
  return { take: mine };
}

function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  for (let n = 0; n < 3; n++) {
    const difference = (a?.[n] ?? 0) - (b?.[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
