import { expect, it } from 'vitest';
import { openStore } from '../state/store.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { pinHashFor } from '../testing/server.ts';
import { pinGate } from './gate.ts';

const minute = 60_000;

it('[P2.6] what is left of a lock is written down while there is one, and nothing after it; the next one is twice as long', async () => {
  const store = await openStore(await temporaryFolder());
  const at = { wall: Date.now(), up: 1_000_000, boot: 'first' };
  let writes = 0;
  const gate = pinGate({
    store: {
      pinTries: store.pinTries,
      setPinTries: (tries) => {
        writes++;
        return store.setPinTries(tries);
      },
    },
    hash: () => pinHashFor('194735'),
    moment: () => ({ ...at }),
    guessed: async () => {},
  });
  const seen = async (times: number) => {
    writes = 0;
    for (let n = 0; n < times; n++) await gate.seen();
    return writes;
  };
  const guess = async () => {
    for (let n = 0; n < 4; n++) await gate.check('000000');
    return gate.check('000000');
  };
  expect(await seen(5)).toBe(0);
  expect(await guess()).toEqual({ ok: false, why: 'locked', wait: 15 * minute });
  expect(await seen(5)).toBe(5);
  at.up += 15 * minute;
  expect(await seen(5)).toBe(1);
  expect(await store.pinTries()).toEqual({ wrong: 0, locks: 1, lock: null });
  expect(await guess()).toEqual({ ok: false, why: 'locked', wait: 30 * minute });
});
