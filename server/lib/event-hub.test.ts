import { expect, test } from 'vitest';
import type { Trx } from '../db/open.ts';
import { eventHub } from './event-hub.ts';

interface Events {
  opened: { door: string };
  closed: { door: string };
}
const trx = {} as Trx;

test('an event reaches its handlers one after the other, in the transaction where it happened, and no handler of another event', async () => {
  const hub = eventHub<Events>();
  const seen: string[] = [];
  hub.on('opened', async (inTrx, { door }) => {
    await new Promise(setImmediate);
    seen.push(`first ${door} ${inTrx === trx}`);
  });
  hub.on('opened', async (_trx, { door }) => seen.push(`second ${door}`));
  hub.on('closed', async () => seen.push('closed'));
  await hub.emit(trx, 'opened', { door: 'front' });
  expect(seen).toEqual(['first front true', 'second front']);
  await hub.emit(trx, 'closed', { door: 'front' });
  expect(seen).toHaveLength(3);
});

test('an error in a handler is that of the event, and the handlers after it are not called', async () => {
  const hub = eventHub<Events>();
  let called = false;
  hub.on('opened', async () => {
    throw new Error('the lock is stuck');
  });
  hub.on('opened', async () => {
    called = true;
  });
  await expect(hub.emit(trx, 'opened', { door: 'front' })).rejects.toThrow('the lock is stuck');
  expect(called).toBe(false);
  await hub.emit(trx, 'closed', { door: 'front' });
});
