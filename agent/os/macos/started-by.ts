import { changedAt } from '../../lib/changed-at.ts';
import type { ProcessSeen, StartedBy } from '../port.ts';
import type { MacNative } from './native.ts';

const MAX_ANCESTORS = 32;
const SCHEDULERS = new Set(['/usr/sbin/cron', '/usr/libexec/atrun']);
const SHELLS = new Set(['/bin/sh', '/bin/bash', '/bin/zsh', '/bin/dash']);

/**
 * launchd is the parent of services, of everything that a person opens, and of processes whose parent has ended. Only services run as root
 * without a terminal in a process group of their own. So a login item or an agent of a user counts as `other`.
 */
export function startedBy(native: Pick<MacNative, 'process' | 'path'>, { pid, started, path }: ProcessSeen): StartedBy {
  let top = native.process(pid);
  if (!top || top.started !== started) return 'other';
  for (let n = 0; n < MAX_ANCESTORS && top.ppid > 1 && native.path(top.ppid) === path; n++) {
    const parent = native.process(top.ppid);
    if (!parent) return 'other';
    top = parent;
  }
  if (top.ppid === 1) return top.uid === 0 && top.group === top.pid && !top.terminal ? 'service_manager' : 'other';
  const parentPath = native.path(top.ppid) ?? '';
  if (SCHEDULERS.has(parentPath)) return 'scheduler';
  const grandparent = SHELLS.has(parentPath) ? native.process(top.ppid)?.ppid : undefined;
  return grandparent && SCHEDULERS.has(native.path(grandparent) ?? '') ? 'scheduler' : 'other';
}

/** Null for mounted disk images, which have the times of when they were made. */
export const fileChanged = ({ path }: Pick<ProcessSeen, 'path'>): number | null => (path.startsWith('/Volumes/') ? null : changedAt(path));
