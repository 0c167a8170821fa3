import { expect, test } from 'vitest';
import type { MacProcess } from './native.ts';
import { fileChanged, startedBy } from './started-by.ts';

const anydesk = '/Applications/AnyDesk.app/Contents/MacOS/AnyDesk';
const target = { pid: 50, started: '9', path: anydesk, program: { os: 'macos' as const, name: 'AnyDesk' } };
type Entry = Partial<MacProcess> & { path: string };
const terminal: Entry = { pid: 40, path: '/bin/zsh', uid: 501, terminal: true };

/** The parents from the nearest on; the last is a child of launchd. */
function startedByAmong(program: Partial<MacProcess>, ...parents: Entry[]): string {
  const entries = [{ ...program, pid: 50, path: anydesk }, ...parents].map((entry, n, all) => ({
    ...{ pid: 50 - n, ppid: n + 1 < all.length ? 49 - n : 1, started: '9', zombie: false, uid: 0, group: 50 - n, terminal: false },
    ...entry,
    ...{ pid: 50 - n },
  }));
  const byPid = new Map(entries.map((entry) => [entry.pid, entry]));
  return startedBy({ process: (pid) => byPid.get(pid) ?? null, path: (pid) => byPid.get(pid)?.path ?? null }, target);
}

test.each<[string, string, string]>([
  ['a service of root', startedByAmong({}), 'service_manager'],
  ['a process that a service started from its own file', startedByAmong({ group: 49 }, { path: anydesk }), 'service_manager'],
  ['a program that a person opened', startedByAmong({ uid: 501 }), 'other'],
  ['an orphan of a script of root', startedByAmong({ group: 44 }), 'other'],
  ['an orphan of a terminal of root', startedByAmong({ terminal: true }), 'other'],
  ['a program of a terminal', startedByAmong({ uid: 501 }, terminal), 'other'],
  [
    'a program that another program started',
    startedByAmong({ uid: 501 }, { path: '/Applications/Safari.app/Contents/MacOS/Safari' }),
    'other',
  ],
  ['a job of cron', startedByAmong({ uid: 501 }, { path: '/bin/sh' }, { path: '/usr/sbin/cron' }), 'scheduler'],
  ['a reused pid', startedByAmong({ started: '8' }), 'other'],
])('on a Mac what started %s is recognized', (_what, found, expected) => {
  expect(found).toBe(expected);
});

test('on a Mac a program of a disk image has no known time', () => {
  expect(fileChanged({ path: '/Volumes/AnyDesk/AnyDesk.app/Contents/MacOS/AnyDesk' })).toBeNull();
  expect(fileChanged({ path: process.execPath })).toBeGreaterThan(0);
});
