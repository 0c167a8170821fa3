import { expect, it } from 'vitest';
import { ended, linked, onDisk, temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';
import { openStore } from './store.ts';

const detection = {
  uuid: '7e0f6a3c-6f0c-4d5e-9d8c-0b6a4f2f1a11',
  time: '2026-03-03T14:05:00.000Z',
  name: 'AnyDesk',
  identifier: 'anydesk',
  category: 'RemoteControl',
  details: '/tmp/anydesk',
  blocked: true,
  certainty: 'certain',
  why: 'name=anydesk',
  start: 'system',
} as const;
const process = { pid: 4711, started: '99' };

it('[P4.7] a kill interrupted by the agent’s death is reported once', async () => {
  const folder = await temporaryFolder();
  (await openStore(folder)).recordKill(process, detection);
  for (let n = 0; n < 2; n++) {
    const store = await openStore(folder);
    await store.recoverInterruptedKills(() => false);
    expect(await store.queued()).toEqual([detection]);
  }
});

it('an interrupted kill whose program still runs is not reported, because the program is detected again', async () => {
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  store.recordKill(process, detection);
  await store.recoverInterruptedKills(({ pid, started }) => pid === process.pid && started === process.started);
  await store.recoverInterruptedKills(() => false);
  expect(await store.queued()).toEqual([]);
});

it('a finished kill is not reported twice', async () => {
  const { server, test } = await linked();
  const program = test.os.start({ name: 'anydesk' });
  await ended(test, program);
  await until('the report', async () => server.sent.length === 1 && (await onDisk(test)).length === 0);
  await test.close();
  await test.store.recoverInterruptedKills(() => false);
  expect(await test.store.queued()).toEqual([]);
});
