import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectionQueue, NoConnection } from './connection-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const newQueue = (size = 2) =>
  connectionQueue(
    size,
    { agent: { connections: 1, waiting: 3, retry_after: 10 }, web: { connections: size, waiting: 3, retry_after: 2 } },
    () => Date.now(),
  );

/** What became of a call so far: its place in the order of answers, or why it was refused. */
function watched(promise: Promise<() => void>) {
  const seen: { state: 'waits' | 'granted' | 'refused'; leave?: () => void; retry_after?: number } = { state: 'waits' };
  promise.then(
    (leave) => Object.assign(seen, { state: 'granted', leave }),
    (err: unknown) => Object.assign(seen, { state: 'refused', retry_after: err instanceof NoConnection ? err.retry_after : -1 }),
  );
  return seen;
}
const settle = () => vi.advanceTimersByTimeAsync(0);

test('a thousand times what fits: two have a connection, three wait, and all others are refused at once with when to come back', async () => {
  const queue = newQueue();
  const calls = Array.from({ length: 2_000 }, () => watched(queue.enter('web', false)));
  await settle();
  const count = (state: string) => calls.filter((call) => call.state === state).length;
  expect([count('granted'), count('waits'), count('refused')]).toEqual([2, 3, 1_995]);
  expect(calls.at(-1)?.retry_after).toBe(2);
});

test('a call waits for 0.6 seconds at most, and nobody joins a line whose first one has waited for half of it', async () => {
  const queue = newQueue();
  const calls = Array.from({ length: 3 }, () => watched(queue.enter('web', false)));
  await vi.advanceTimersByTimeAsync(299);
  const joins = watched(queue.enter('web', false));
  await vi.advanceTimersByTimeAsync(1);
  const refused = watched(queue.enter('web', false));
  await settle();
  expect([joins.state, refused.state]).toEqual(['waits', 'refused']);
  await vi.advanceTimersByTimeAsync(300);
  expect([calls[2]?.state, joins.state]).toEqual(['refused', 'waits']);
  calls[0]?.leave?.();
  await settle();
  expect(joins.state).toBe('granted');
});

test('a flood of one kind leaves another its share', async () => {
  const queue = newQueue(4);
  const polls = Array.from({ length: 50 }, () => watched(queue.enter('agent', false)));
  const pages = Array.from({ length: 3 }, () => watched(queue.enter('web', false)));
  await settle();
  expect(pages.map(({ state }) => state)).toEqual(['granted', 'granted', 'granted']);
  expect(polls.filter(({ state }) => state === 'granted').length).toBe(1);
});

test('what is half done goes before what is new, and is not refused for the length of the line', async () => {
  const queue = newQueue(1);
  const first = watched(queue.enter('web', false));
  const fresh = Array.from({ length: 5 }, () => watched(queue.enter('web', false)));
  const half = Array.from({ length: 5 }, () => watched(queue.enter('web', true)));
  await settle();
  first.leave?.();
  await settle();
  expect([half[0]?.state, half[4]?.state, fresh[0]?.state, fresh[4]?.state]).toEqual(['granted', 'waits', 'waits', 'refused']);
});

test('a connection that is given back twice is one connection', async () => {
  const queue = newQueue(1);
  const first = watched(queue.enter('web', false));
  const [second, third] = [watched(queue.enter('web', false)), watched(queue.enter('web', false))];
  await settle();
  first.leave?.();
  first.leave?.();
  await settle();
  expect([second.state, third.state]).toEqual(['granted', 'waits']);
});
