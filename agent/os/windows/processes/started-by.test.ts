import { expect, test } from 'vitest';
import { servicesInMemory } from '../../../testing/windows-registry.ts';
import { fileChanged, startedBy } from './started-by.ts';

const system = 'C:\\Windows\\System32';
const anydesk = 'C:\\Program Files\\AnyDesk\\AnyDesk.exe';
interface Entry {
  pid: number;
  ppid: number;
  path: string | null;
  name?: string;
  started?: string;
}
const services = { pid: 4000, ppid: 1, path: `${system}\\services.exe` };
const scheduler = { pid: 5000, ppid: 4000, path: `${system}\\svchost.exe` };
const explorer = { pid: 6000, ppid: 1, path: 'C:\\Windows\\explorer.exe' };
const known = servicesInMemory({
  Schedule: { pid: 5000, running: true, alone: false, start: 2 },
  EventLog: { pid: 5001, running: true, alone: false, start: 2 },
  Appinfo: { pid: 5002, running: true, alone: false, start: 2 },
});
const shared = servicesInMemory({
  Schedule: { pid: 5000, running: true, alone: false, start: 2 },
  Appinfo: { pid: 5000, running: true, alone: false, start: 2 },
});

function startedByAmong(entries: Entry[], path = anydesk, { services } = known): string {
  const list = [{ pid: 9000, ppid: entries[0]?.pid ?? 1, path }, ...entries].map((entry: Entry) => ({
    ...{ started: entry.pid === 9000 ? '9' : '5', name: entry.path?.split('\\').at(-1) ?? '' },
    ...entry,
  }));
  const processes = { list: () => list, pathOf: (pid: number) => list.find((entry) => entry.pid === pid)?.path ?? null };
  return startedBy(processes, services, { pid: 9000, started: '9', path, program: { os: 'windows', name: 'AnyDesk.exe' } }, 'C:\\Windows');
}

test.each<[string, string, string]>([
  ['a service', startedByAmong([services]), 'service_manager'],
  ['a window that its service started', startedByAmong([{ pid: 8000, ppid: 4000, path: anydesk }, services]), 'service_manager'],
  [
    'a program of a service of its folder',
    startedByAmong([{ pid: 8000, ppid: 4000, path: anydesk.replace('AnyDesk.exe', 'service.exe') }, services]),
    'service_manager',
  ],
  ['a scheduled task', startedByAmong([scheduler, services]), 'scheduler'],
  ['a program of another service of Windows', startedByAmong([{ ...scheduler, pid: 5001 }, services]), 'other'],
  ['a program of a process that the scheduler shares', startedByAmong([scheduler, services], anydesk, shared), 'other'],
  ['a log-on script', startedByAmong([{ pid: 7000, ppid: 1, path: `${system}\\userinit.exe` }]), 'session_manager'],
  ['a program of the desktop', startedByAmong([explorer]), 'other'],
  ['a window that the desktop started beside a service', startedByAmong([{ pid: 8000, ppid: 6000, path: anydesk }, explorer]), 'other'],
  ['a program of a command line', startedByAmong([{ pid: 8000, ppid: 6000, path: `${system}\\cmd.exe` }, explorer]), 'other'],
  [
    'a program of Windows that a command line of a service started',
    startedByAmong([{ pid: 8000, ppid: 4000, path: `${system}\\cmd.exe` }, services], `${system}\\mstsc.exe`),
    'other',
  ],
  ['a program of a foreign services.exe', startedByAmong([{ ...services, path: 'C:\\Temp\\services.exe' }]), 'other'],
  ['a program of a services.exe without a path', startedByAmong([{ ...services, path: null, name: 'services.exe' }]), 'other'],
  ['a program of a younger process that reused the pid', startedByAmong([{ ...services, started: '10' }]), 'other'],
  ['a program whose parent has ended', startedByAmong([]), 'other'],
  ['a program without a path', startedByAmong([services], 'AnyDesk.exe'), 'other'],
])('on Windows what started %s is recognized', (_what, found, expected) => {
  expect(found).toBe(expected);
});

test.each(['\\\\server\\share\\AnyDesk.exe', 'E:\\AnyDesk.exe', 'AnyDesk.exe', 'C:\\missing\\AnyDesk.exe'])(
  'on Windows %s has no known time',
  (path) => expect(fileChanged({ path }, 'C:')).toBeNull(),
);
