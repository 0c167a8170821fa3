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

function watched(promise: Promise<() => void>) {
  const progress: { state: 'waits' | 'granted' | 'refused'; leave?: () => void; retry_after?: number } = { state: 'waits' };
  promise.then(
    (leave) => Object.assign(progress, { state: 'granted', leave }),
    (err: unknown) => Object.assign(progress, { state: 'refused', retry_after: err instanceof NoConnection ? err.retry_after : -1 }),
  );
  return progress;
}
const settle = () => vi.advanceTimersByTimeAsync(0);

test('two of a thousand calls get a connection, three wait, and all others are refused at once with a retry time', async () => {
  const queue = newQueue();
  const calls = Array.from({ length: 2_000 }, () => watched(queue.enter('web', false)));
  await settle();
  const count = (state: string) => calls.filter((call) => call.state === state).length;
  expect([count('granted'), count('waits'), count('refused')]).toEqual([2, 3, 1_995]);
  expect(calls.at(-1)?.retry_after).toBe(2);
});

test('a call waits for at most 0.6 seconds, and no call joins a queue whose first call has waited for 0.3 seconds', async () => {
  const queue = newQueue();
  const calls = Array.from({ length: 3 }, () => watched(queue.enter('web', false)));
  await vi.advanceTimersByTimeAsync(299);
  const queuedCalls = watched(queue.enter('web', false));
  await vi.advanceTimersByTimeAsync(1);
  const refusedCall = watched(queue.enter('web', false));
  await settle();
  expect([queuedCalls.state, refusedCall.state]).toEqual(['waits', 'refused']);
  await vi.advanceTimersByTimeAsync(300);
  expect([calls[2]?.state, queuedCalls.state]).toEqual(['refused', 'waits']);
  calls[0]?.leave?.();
  await settle();
  expect(queuedCalls.state).toBe('granted');
});

test('a flood of one kind of traffic leaves the other kind its share', async () => {
  const queue = newQueue(4);
  const polls = Array.from({ length: 50 }, () => watched(queue.enter('agent', false)));
  const pages = Array.from({ length: 3 }, () => watched(queue.enter('web', false)));
  await settle();
  expect(pages.map(({ state }) => state)).toEqual(['granted', 'granted', 'granted']);
  expect(polls.filter(({ state }) => state === 'granted').length).toBe(1);
});

test('a call that already had a connection precedes new calls, and is not refused when the queue is full', async () => {
  const queue = newQueue(1);
  const firstCall = watched(queue.enter('web', false));
  const newCalls = Array.from({ length: 5 }, () => watched(queue.enter('web', false)));
  const admittedCalls = Array.from({ length: 5 }, () => watched(queue.enter('web', true)));
  await settle();
  firstCall.leave?.();
  await settle();
  expect([admittedCalls[0]?.state, admittedCalls[4]?.state, newCalls[0]?.state, newCalls[4]?.state]).toEqual([
    'granted',
    'waits',
    'waits',
    'refused',
  ]);
});

test('a connection that is released twice is free only once', async () => {
  const queue = newQueue(1);
  const firstCall = watched(queue.enter('web', false));
  const [secondCall, thirdCall] = [watched(queue.enter('web', false)), watched(queue.enter('web', false))];
  await settle();
  firstCall.leave?.();
  firstCall.leave?.();
  await settle();
  expect([secondCall.state, thirdCall.state]).toEqual(['granted', 'waits']);
});
