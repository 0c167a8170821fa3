import { win32 } from 'node:path';
import { changedAt } from '../../../lib/changed-at.ts';
import type { ProcessSeen, StartedBy } from '../../port.ts';
import { isLocal } from '../file/file-facts.ts';
import type { Services } from '../services/services.ts';
import type { ListedProcess } from './process-table.ts';
import type { Processes } from './processes.ts';
import { isSystemProcess } from './system-processes.ts';

const MAX_ANCESTORS = 32;

/**
 * Explorer starts what a person opens and also the start-up entries at log-on, so it counts as `other`. A program of the same folder, such
 * as a service that starts its window, counts as the program itself.
 */
export function startedBy(
  { list, pathOf }: Pick<Processes, 'list' | 'pathOf'>,
  services: Pick<Services, 'list'>,
  { pid, started, path }: ProcessSeen,
  systemRoot = process.env.SystemRoot ?? 'C:\\Windows',
): StartedBy {
  const processes = new Map(list().map((entry) => [entry.pid, entry]));
  const parentOf = (entry: ListedProcess) => {
    const parent = processes.get(entry.ppid);
    // Windows reuses pids of ended parents.
    return parent && BigInt(parent.started) <= BigInt(entry.started) ? parent : undefined;
  };
  const entry = processes.get(pid);
  if (entry?.started !== started || !/[\\/]/.test(path)) return 'other';
  const folder = win32.dirname(path).toLowerCase();
  const isOfSystem = `${folder}\\`.startsWith(`${systemRoot.toLowerCase()}\\`);
  let parent = parentOf(entry);
  for (let n = 0; n < MAX_ANCESTORS && parent && !isOfSystem; n++) {
    if (win32.dirname(pathOf(parent.pid) ?? '').toLowerCase() !== folder) break;
    parent = parentOf(parent);
  }
  const parentPath = parent ? pathOf(parent.pid) : null;
  if (!parent || parentPath === null || !isSystemProcess(parent.name, parentPath, systemRoot)) return 'other';
  switch (parent.name.toLowerCase()) {
    case 'services.exe':
      return 'service_manager';
    case 'userinit.exe':
      return 'session_manager';
    case 'svchost.exe':
      return isScheduler(services, parent.pid) ? 'scheduler' : 'other';
    default:
      return 'other';
  }
}

/** Where several services share one process, nobody knows which of them started a program. */
function isScheduler(services: Pick<Services, 'list'>, pid: number): boolean {
  const names = services.list().flatMap((service) => (service.pid === pid ? [service.name.toLowerCase()] : []));
  return names.length === 1 && names[0] === 'schedule';
}

/** Null for other drives, whose times another computer may have set. */
export function fileChanged({ path }: Pick<ProcessSeen, 'path'>, systemDrive = process.env.SystemDrive ?? 'C:'): number | null {
  const isOnSystemDrive = isLocal(path) && path.toLowerCase().startsWith(`${systemDrive.toLowerCase()}\\`);
  return isOnSystemDrive ? changedAt(path) : null;
}
