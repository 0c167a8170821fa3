import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newLongPolls } from './long-polls.ts';
import { wakeOnEvents } from './poll-events.ts';

/** A thousand times the load: not one agent waits, but as many as one server has. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** `count` devices that wait for half a minute each; `woken` gets the millisecond in which each was woken. */
function herd(count: number) {
  const all = newLongPolls(() => Date.now());
  const began = Date.now();
  const woken = new Map<string, number>();
  for (const device of Array.from({ length: count }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)) {
    void all.wait(device, 600, 7).news.then(() => woken.set(device, Date.now() - began));
  }
  return { all, woken };
}

test('[P4.8] a publication wakes six thousand agents within a minute, no more than two hundred in any second, and each before its wait is over', async () => {
  const { all, woken } = herd(6_000);
  all.publish();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(woken.size).toBe(6_000);
  const seconds = new Map<number, number>();
  for (const at of woken.values()) seconds.set(Math.floor(at / 1000), (seconds.get(Math.floor(at / 1000)) ?? 0) + 1);
  expect(Math.max(...seconds.values())).toBeLessThan(200);
  expect(seconds.size).toBeGreaterThan(45);
});

test('[P4.8] the turn of a device is the same for each publication; one agent alone is woken at once', async () => {
  const [first, second] = [herd(500), herd(500)];
  for (const { all } of [first, second]) all.publish();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second.woken).toEqual(first.woken);
  const alone = herd(1);
  alone.all.publish();
  await vi.advanceTimersByTimeAsync(10);
  expect(alone.woken.size).toBe(1);
});

test('[P4.8] a device that asks between a publication and its turn is answered at its turn', async () => {
  const { all } = herd(2_000);
  const late = randomUUID();
  void all.wait(late, 600).news;
  all.publish();
  all.wake(late);
  expect(all.isItsTurn(late)).toBe(false);
  let heard = false;
  void all.wait(late, 600).news.then(() => {
    heard = true;
  });
  await vi.advanceTimersByTimeAsync(20_010);
  expect([heard, all.isItsTurn(late)]).toEqual([true, true]);
});

test('once the connection for notices is back only what changed is woken, and definitions only when there are newer ones', async () => {
  const { all, woken } = herd(2_500);
  const heard = new Map<string, (payload: string) => void>();
  const [changed, removed] = [...Array(2_500).keys()]
    .slice(1_200, 1_202)
    .map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  let newest = 3;
  const statements: number[] = [];
  wakeOnEvents({
    listener: { on: (channel, callback) => void heard.set(channel, callback), close: async () => {} },
    longPolls: all,
    log: { error: (o) => expect.unreachable(String(o)) },
    async changedOf(known) {
      statements.push(known.size);
      expect([...known.values()].every((version) => version === 7)).toBe(true);
      return [changed, removed].filter((device) => device !== undefined && known.has(device)) as string[];
    },
    newestVersion: async () => newest,
  });
  await vi.advanceTimersByTimeAsync(1);
  heard.get('device')?.('');
  heard.get('definitions')?.('');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([...woken.keys()].toSorted()).toEqual([changed, removed].toSorted());
  expect(statements).toEqual([1_000, 1_000, 500]);
  newest = 4;
  heard.get('definitions')?.('');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(woken.size).toBe(2_500);
});
