import { expect, it } from 'vitest';
import { suspensions } from './suspend.ts';

const ownPid = 99;

/** Windows with processes that count how often they are suspended.  */
function computer(...entries: [pid: number, ppid: number, started: number][]) {
  const processes = new Map(
    entries.map(([pid, ppid, started]) => [pid, { pid, ppid, started: String(started), name: `${pid}.exe`, suspensions: 0 }]),
  );
  const state = { handles: 0, refuses: new Set<number>(), onList: () => {} };
  const table = {
    list: () => {
      state.onList();
      return [...processes.values()].map(({ pid, ppid, started, name }) => ({ pid, ppid, started, name }));
    },
    pathOf: (pid: number) => `C:\\tools\\${pid}.exe`,
    commandLineOf: () => null,
    open(pid: number) {
      const process = processes.get(pid);
      if (!process || state.refuses.has(pid)) return null;
      state.handles++;
      return {
        suspend: () => void process.suspensions++,
        resume: () => void (process.suspensions = Math.max(0, process.suspensions - 1)),
        terminate: () => processes.delete(pid),
        close: () => void state.handles--,
      };
    },
  };
  const spawn = (pid: number, ppid: number, started: number) =>
    processes.set(pid, { pid, ppid, started: String(started), name: `${pid}.exe`, suspensions: 0 });
  const counts = () => Object.fromEntries([...processes].map(([pid, process]) => [pid, process.suspensions]));
  return { processes, state, table, spawn, counts };
}
const root = { pid: 10, started: '100' };

it('a tree is suspended once each, with what it starts meanwhile, and a bystander is not; all go on again', async () => {
  const { state, table, spawn, counts } = computer([10, 1, 100], [20, 1, 90]);
  let lists = 0;
  state.onList = () => {
    if (++lists === 2) spawn(11, 10, 110);
  };
  const one = suspensions(table, ownPid);
  const suspended = await one.suspend([root]);
  expect(suspended).toEqual([root, { pid: 11, started: '110' }]);
  expect(counts()).toEqual({ 10: 1, 11: 1, 20: 0 });
  one.resume(suspended ?? []);
  expect([counts(), state.handles]).toEqual([{ 10: 0, 11: 0, 20: 0 }, 0]);
});

it('a process whose start time changes after it was suspended, since it was being loaded, is suspended once and goes on again', async () => {
  const { processes, state, table, counts } = computer([10, 1, 100], [11, 10, 110]);
  let lists = 0;
  state.onList = () => {
    const newborn = processes.get(11);
    if (newborn && ++lists === 2) newborn.started = '111';
  };
  const one = suspensions(table, ownPid);
  const suspended = await one.suspend([root]);
  expect(counts()).toEqual({ 10: 1, 11: 1 });
  one.resume(suspended ?? []);
  expect([counts(), state.handles]).toEqual([{ 10: 0, 11: 0 }, 0]);
});

it('the next agent finds what was suspended by its start time, and leaves another process with the same pid', async () => {
  const { processes, table, spawn, counts } = computer([10, 1, 100], [11, 10, 110]);
  const suspended = await suspensions(table, ownPid).suspend([root]);
  processes.delete(11);
  spawn(11, 1, 500);
  for (const process of processes.values()) process.suspensions = 1;
  suspensions(table, ownPid).resume(suspended ?? []);
  expect(counts()).toEqual({ 10: 0, 11: 1 });
});

it('when a root may not be suspended, what already was goes on, and no handle is left', async () => {
  const { state, table, counts } = computer([10, 1, 100], [11, 10, 110], [12, 1, 120]);
  state.refuses.add(12);
  expect(await suspensions(table, ownPid).suspend([root, { pid: 12, started: '120' }])).toBeNull();
  expect([counts(), state.handles]).toEqual([{ 10: 0, 11: 0, 12: 0 }, 0]);
});

it('a suspended tree is ended with what it started later and with a process whose start time changed; others run', async () => {
  const { processes, state, table, spawn } = computer([10, 1, 100], [11, 10, 110], [20, 1, 90]);
  const one = suspensions(table, ownPid);
  const suspended = await one.suspend([root]);
  const newborn = processes.get(11);
  if (newborn) Object.assign(newborn, { started: '111', ppid: 1 });
  spawn(12, 10, 130);
  expect(await one.endSuspended(suspended ?? [])).toBe(true);
  expect([[...processes.keys()], state.handles]).toEqual([[20], 0]);
});
