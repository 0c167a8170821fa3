import { expect, test } from 'vitest';
import { confirmQueue } from './confirm-queue.ts';

const ask = (heading: string) => ({ heading, body: 'x' });

test('[4.47] [4.50] confirm requests queue with the newest first, and the dialog is open while one waits', () => {
  const queue = confirmQueue();
  let notifications = 0;
  queue.subscribe(() => notifications++);
  expect(queue.first()).toBeNull();
  void queue.ask(ask('one'));
  void queue.ask(ask('two'));
  expect(queue.first()?.heading).toBe('two');
  expect(notifications).toBe(2);
});

test('[4.48] a confirm request that is confirmed resolves and leaves the queue', async () => {
  const queue = confirmQueue();
  const answer = queue.ask(ask('one'));
  queue.confirm(queue.first()?.id ?? 0);
  await expect(answer).resolves.toBeUndefined();
  expect(queue.first()).toBeNull();
});

test('[4.49] [8.9] a confirm request that is canceled rejects with the reason, and only that request leaves the queue', async () => {
  const queue = confirmQueue();
  const firstRequest = queue.ask(ask('one'));
  const secondRequest = queue.ask(ask('two'));
  queue.cancel(queue.first()?.id ?? 0);
  await expect(secondRequest).rejects.toBe('Action Cancelled');
  expect(queue.first()?.heading).toBe('one');
  queue.confirm(queue.first()?.id ?? 0);
  await firstRequest;
});
