import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LongPolls, newLongPolls } from './long-polls.ts';
import { wakeOnEvents } from './poll-events.ts';

/** Load tests with as many waiting agents as one server has. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Waits ten minutes; `woke` is called when a change ends the wait. */
const wait = (longPolls: LongPolls, device: string, woke: () => void) =>
  longPolls.add({ device, known_version: 7, timer: null, finish: (changed) => changed && woke() }, 600, Number.POSITIVE_INFINITY);

/** Starts `count` devices that wait; `woken`: after how many milliseconds each woke. */
function waitingDevices(count: number) {
  const longPolls = newLongPolls(() => Date.now());
  const start = Date.now();
  const wakeTimes = new Map<string, number>();
  for (const device of Array.from({ length: count }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)) {
    wait(longPolls, device, () => wakeTimes.set(device, Date.now() - start));
  }
  return { all: longPolls, woken: wakeTimes };
}

test('[P4.8] a publication of definitions wakes six thousand agents within a minute, fewer than two hundred in any second', async () => {
  const { all, woken } = waitingDevices(6_000);
  all.publish();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(woken.size).toBe(6_000);
  const seconds = new Map<number, number>();
  for (const wakeTime of woken.values()) seconds.set(Math.floor(wakeTime / 1000), (seconds.get(Math.floor(wakeTime / 1000)) ?? 0) + 1);
  expect(Math.max(...seconds.values())).toBeLessThan(200);
  expect(seconds.size).toBeGreaterThan(45);
});

test('[P4.8] a device wakes equally late after every publication of definitions; a single agent wakes immediately', async () => {
  const [firstRound, secondRound] = [waitingDevices(500), waitingDevices(500)];
  for (const { all } of [firstRound, secondRound]) all.publish();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(secondRound.woken).toEqual(firstRound.woken);
  const singleDevice = waitingDevices(1);
  singleDevice.all.publish();
  await vi.advanceTimersByTimeAsync(10);
  expect(singleDevice.woken.size).toBe(1);
});

test('[P4.8] a device that polls after a publication of definitions but before its turn gets the answer at its turn', async () => {
  const { all } = waitingDevices(2_000);
  const lateDevice = randomUUID();
  wait(all, lateDevice, () => {});
  all.publish();
  all.wake(lateDevice);
  expect(all.isItsTurn(lateDevice)).toBe(false);
  let isAwake = false;
  wait(all, lateDevice, () => {
    isAwake = true;
  });
  await vi.advanceTimersByTimeAsync(20_010);
  expect([isAwake, all.isItsTurn(lateDevice)]).toEqual([true, true]);
});

test('after a lost database connection only devices with a changed policy wake, or all if newer definitions were published', async () => {
  const { all, woken } = waitingDevices(2_500);
  const listeners = new Map<string, (payload: string) => void>();
  const [changedDevice, removedDevice] = [...Array(2_500).keys()]
    .slice(1_200, 1_202)
    .map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  let newest = { epoch: 1, version: 3 };
  const statements: number[] = [];
  wakeOnEvents({
    listener: { on: (channel, callback) => void listeners.set(channel, callback), close: async () => {} },
    longPolls: all,
    log: { error: (o) => expect.unreachable(String(o)) },
    async changedOf(knownVersions) {
      statements.push(knownVersions.size);
      expect([...knownVersions.values()].every((version) => version === 7)).toBe(true);
      return [changedDevice, removedDevice].filter((device) => device !== undefined && knownVersions.has(device)) as string[];
    },
    newest: async () => newest,
  });
  await vi.advanceTimersByTimeAsync(1);
  listeners.get('device')?.('');
  listeners.get('definitions')?.('');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([...woken.keys()].toSorted()).toEqual([changedDevice, removedDevice].toSorted());
  expect(statements).toEqual([1_000, 1_000, 500]);
  newest = { epoch: 1, version: 4 };
  listeners.get('definitions')?.('');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(woken.size).toBe(2_500);
});

test.each([
  ['a lower version in a higher epoch, as after a restore of the database, wakes', { epoch: 9, version: 2 }, 3],
  ['a lower version in the same epoch wakes none of', { epoch: 1, version: 2 }, 0],
])('[P14.5] %s the devices that wait', async (_what, next, count) => {
  const { all, woken } = waitingDevices(3);
  const listeners = new Map<string, (payload: string) => void>();
  let newest = { epoch: 1, version: 3 };
  wakeOnEvents({
    listener: { on: (channel, callback) => void listeners.set(channel, callback), close: async () => {} },
    longPolls: all,
    log: { error: (o) => expect.unreachable(String(o)) },
    changedOf: async () => [],
    newest: async () => newest,
  });
  await vi.advanceTimersByTimeAsync(1);
  newest = next;
  listeners.get('definitions')?.(String(next.version));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(woken.size).toBe(count);
});

test('[P14.5] a poll that read what was newest just before a publication ends at once; a poll that read it afterwards waits', async () => {
  const longPolls = newLongPolls(() => Date.now());
  const since = Date.now();
  await vi.advanceTimersByTimeAsync(5);
  longPolls.publish();
  await vi.advanceTimersByTimeAsync(5);
  const woken: string[] = [];
  for (const [device, moment] of [
    ['before', since],
    ['afterwards', longPolls.moment()],
  ] as const)
    longPolls.add({ device, known_version: 7, timer: null, finish: (changed) => changed && woken.push(device) }, 240, moment);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(woken).toEqual(['before']);
});

test('[P14.5] when the changes of a lost connection cannot be read they are read again until that works, and only changed devices wake', async () => {
  const { all, woken } = waitingDevices(3);
  const listeners = new Map<string, (payload: string) => void>();
  const changedDevice = '00000000-0000-4000-8000-000000000001';
  let failures = 2;
  wakeOnEvents({
    listener: { on: (channel, callback) => void listeners.set(channel, callback), close: async () => {} },
    longPolls: all,
    log: { error() {} },
    async changedOf() {
      if (failures-- > 0) throw new Error('the database stumbles');
      return [changedDevice];
    },
    newest: async () => ({ epoch: 1, version: 1 }),
  });
  listeners.get('device')?.('');
  await vi.advanceTimersByTimeAsync(1_000);
  expect([...woken.keys()]).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([...woken.keys()]).toEqual([changedDevice]);
});

test.each([
  ['reads the newest version again and again while it cannot', false, 4],
  ['that has ended does not read it again, also not at a later event', true, 1],
])('a server %s', async (_what, ends, times) => {
  const { all } = waitingDevices(1);
  const listeners = new Map<string, (payload: string) => void>();
  let readings = 0;
  const events = wakeOnEvents({
    listener: { on: (channel, callback) => void listeners.set(channel, callback), close: async () => {} },
    longPolls: all,
    log: { error() {} },
    changedOf: async () => [],
    async newest() {
      readings++;
      throw new Error('the database is gone');
    },
  });
  await vi.advanceTimersByTimeAsync(1);
  if (ends) events.close();
  else listeners.get('definitions')?.('2');
  await vi.advanceTimersByTimeAsync(2_500);
  if (ends) listeners.get('definitions')?.('2');
  await vi.advanceTimersByTimeAsync(1);
  expect(readings).toBe(times);
});
