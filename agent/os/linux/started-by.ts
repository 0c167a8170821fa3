import { readFileSync, statfsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { changedAt } from '../../lib/changed-at.ts';
import type { ProcessSeen, StartedBy } from '../port.ts';
import { isSameProcess } from './end-tree.ts';
import { readExecutable, readStat } from './proc.ts';

/** Executables of the nearest ancestors first. `path`: null when it may not be read. */
export interface StartChain {
  path: string;
  ancestors: { pid: number; path: string | null }[];
  /** The control group, such as `/system.slice/anydesk.service`; null without systemd. */
  group: string | null;
  /** The executable of the oldest process of the control group; null when unknown. */
  oldest: string | null;
}

const MAX_ANCESTORS = 32;
const SCHEDULERS = new Set(['cron', 'crond', 'atd', 'anacron']);
/** cron and at start each job through a shell. */
const SHELLS = new Set(['sh', 'bash', 'dash', 'busybox']);
const SESSION_MANAGERS = new Set([
  'gnome-session-binary',
  'gnome-session-service',
  'plasma_session',
  'xfce4-session',
  'mate-session',
  'cinnamon-session-binary',
  'lxsession',
  'lxqt-session',
]);
/** Only root can write there, so the names are those of the system. */
const SYSTEM_FOLDER = /^\/(usr\/)?(s?bin|lib|lib64|libexec)\//;

/**
 * What started a program. A process whose parent has ended is a child of systemd too, so there the control group decides: only a service
 * whose oldest process is this program was started by systemd.
 */
export function startedByOf({ path, ancestors, group, oldest }: StartChain): StartedBy {
  const [first, second] = ancestors.slice(
    Math.max(
      0,
      ancestors.findIndex((one) => one.path !== path),
    ),
  );
  const [name, nextName] = [systemName(first?.path), systemName(second?.path)];
  if (!first || first.path === path || !name) return 'other';
  if (SESSION_MANAGERS.has(name)) return 'session_manager';
  if (SCHEDULERS.has(name) || (SHELLS.has(name) && nextName && SCHEDULERS.has(nextName))) return 'scheduler';
  if (name !== 'systemd' || oldest !== path) return 'other';
  const unit = group?.split('/').findLast((part) => /\.(service|scope)$/.test(part)) ?? '';
  if (/^app-.*@autostart\.service$/.test(unit)) return 'session_manager';
  // A desktop starts what a person opens as `app-`, D-Bus as `dbus-:`, and systemd-run as `run-`.
  return unit.endsWith('.service') && !/^(app-|dbus-:|run-|user@)/.test(unit) ? 'service_manager' : 'other';
}

const systemName = (path: string | null | undefined) => (path && SYSTEM_FOLDER.test(path) ? basename(path) : null);

/** Reads only this process, its ancestors and its control group. */
export function startedBy(process: ProcessSeen): StartedBy {
  if (!isSameProcess(process)) return 'other';
  const ancestors: StartChain['ancestors'] = [];
  for (let pid = readStat(process.pid)?.ppid; pid && ancestors.length < MAX_ANCESTORS; pid = readStat(pid)?.ppid)
    ancestors.push({ pid, path: readExecutable(pid) });
  const group = groupOf(process.pid);
  return startedByOf({ path: process.path, ancestors, group, oldest: group && oldestOf(group) });
}

/** The line of systemd: `0::` of version 2, or `name=systemd` of version 1. */
function groupOf(pid: number): string | null {
  return /^(?:0:|\d+:name=systemd):(\/.*\.(?:service|scope).*)$/m.exec(readText(`/proc/${pid}/cgroup`))?.[1] ?? null;
}

function oldestOf(group: string): string | null {
  const list = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified', '/sys/fs/cgroup/systemd']
    .map((root) => readText(join(root, group, 'cgroup.procs')))
    .find(Boolean);
  const members = (list ?? '').split('\n').flatMap((pid) => (pid ? (readStat(Number(pid)) ?? []) : []));
  const [oldest] = members.toSorted((a, b) => Number(a.started) - Number(b.started) || a.pid - b.pid);
  return oldest ? readExecutable(oldest.pid) : null;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * File systems that set times of change by the system's clock: ext, xfs, btrfs, f2fs, zfs, bcachefs, overlayfs and tmpfs. An image, such
 * as a snap or an AppImage, has the times of when it was made.
 */
const FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630, 0x01021994]);

/** The last change of what the process runs, and of what runs that. */
export function fileChanged(process: ProcessSeen): number | null {
  // The executable itself, even if another file has its path now.
  const files = [`/proc/${process.pid}/exe`, ...(process.runs ? [process.runs.path] : [])];
  const changes = files.map(changeOf);
  if (changes.includes(null) || !isSameProcess(process) || readExecutable(process.pid) !== process.path) return null;
  return Math.max(...changes.map(Number));
}

function changeOf(path: string): number | null {
  try {
    return FILE_SYSTEMS.has(statfsSync(path).type >>> 0) ? changedAt(path) : null;
  } catch {
    return null;
  }
}
