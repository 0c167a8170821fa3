import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minute } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { openStore, untried } from '../state/store.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { pinHashFor } from '../testing/pin-hash.ts';
import { pinGate } from './gate.ts';

it('[P2.6] the time left of a PIN lock is stored while the lock lasts, and the next lock is twice as long', async () => {
  const store = await openStore(await temporaryFolder());
  await store.setPinTries(untried);
  const reading = { wall: Date.now(), up: 1_000_000, boot: 'first' };
  let writes = 0;
  const gate = pinGate({
    store: {
      pinTries: store.pinTries,
      withPinLock: store.withPinLock,
      setPinTries: (tries) => {
        writes++;
        return store.setPinTries(tries);
      },
    },
    hash: () => pinHashFor('194735'),
    ask: undefined,
    readClock: () => ({ ...reading }),
    onLocked: async () => {},
  });
  const pollClock = async (count: number) => {
    writes = 0;
    for (let n = 0; n < count; n++) await gate.persistLock();
    return writes;
  };
  const guess = async () => {
    for (let n = 0; n < 4; n++) await gate.check('000000');
    return gate.check('000000');
  };
  expect(await pollClock(5)).toBe(0);
  expect(await guess()).toEqual({ ok: false, why: 'locked', wait: 15 * minute });
  expect(await pollClock(5)).toBe(5);
  reading.up += 15 * minute;
  expect(await pollClock(5)).toBe(1);
  expect(await store.pinTries()).toEqual({ wrong: 0, locks: 1, lock: null });
  expect(await guess()).toEqual({ ok: false, why: 'locked', wait: 30 * minute });
});

it('[P2.6] a computer without an Admin PIN and without a server to ask accepts no PIN, and counts no attempt', async () => {
  const store = await openStore(await temporaryFolder());
  await store.setPinTries(untried);
  const readClock = () => ({ wall: Date.now(), up: 1_000_000, boot: 'first' });
  const gate = pinGate({ store, hash: () => null, ask: undefined, readClock, onLocked: async () => {} });
  for (let n = 0; n < 6; n++) expect(await gate.check('194735')).toEqual({ ok: false, why: 'unknown' });
  expect(await store.pinTries()).toEqual(untried);
});

async function gateOn(folder: string, at = { wall: Date.now(), up: 1_000_000, boot: 'first' }) {
  const store = await openStore(folder);
  let guessReports = 0;
  const gate = pinGate({
    store,
    hash: () => pinHashFor('194735'),
    ask: undefined,
    readClock: () => ({ ...at }),
    onLocked: async () => void guessReports++,
  });
  return { store, gate, at, told: () => guessReports };
}

it('A12: a lost or unreadable count of PIN attempts locks for a day and is reported; an intact one does not', async () => {
  const folder = await temporaryFolder();
  const { store, gate, at, told } = await gateOn(folder);
  await store.setPinTries(untried);
  expect(await gate.check('194735')).toEqual({ ok: true });
  const countFiles = async () => (await readdir(folder)).filter((name) => name.startsWith('pin-tries')).map((name) => join(folder, name));
  const losses = [
    async () => Promise.all((await countFiles()).map((path) => rm(path))),
    async () => Promise.all((await countFiles()).map((path) => writeFile(path, '{}'))),
  ];
  for (const [n, lose] of losses.entries()) {
    await lose();
    expect(await gate.check('194735')).toEqual({ ok: false, why: 'locked', wait: 24 * 60 * minute });
    expect([await gate.check('194735'), told()]).toEqual([{ ok: false, why: 'locked', wait: 24 * 60 * minute }, n + 1]);
    at.up += 24 * 60 * minute;
    expect(await gate.check('194735')).toEqual({ ok: true });
  }
});

it('A12: processes that check PINs at the same time share five attempts', async () => {
  const folder = await temporaryFolder();
  const firstGate = await gateOn(folder);
  await firstGate.store.setPinTries(untried);
  const gates = [firstGate, ...(await Promise.all(Array.from({ length: 9 }, () => gateOn(folder))))];
  const verdicts = await Promise.all(gates.map(({ gate }) => gate.check('000000')));
  expect(verdicts.map((one) => (one.ok ? 'ok' : one.why)).toSorted()).toEqual([...Array(6).fill('locked'), ...Array(4).fill('wrong')]);
});
