import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { sealedFiles, stateKey } from './sealed-files.ts';
import { type Identity, openStore, untried } from './store.ts';

/** What the store keeps over a restart: every case reads with a second store of the same folder. */
async function twoStores() {
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  return { folder, store, reopened: await openStore(folder) };
}

const span = { ends: 2, up_ends: 1, boot: 'b', seen_wall: 1, seen_up: 0 };
const pin = { salt: 's'.repeat(16), hash: 'h'.repeat(16), n: 2, r: 1, p: 1 };
const time = '2026-01-01T00:00:00Z';
const identityOf = (name: string): Identity => ({
  ...{
    server: 'http://localhost',
    agent_token: 'secret',
    device: { uuid: randomUUID(), name },
    holder: { first_name: 'Ann', masked_email: 'a•••@example.org' },
  },
});
const eventOf = (kind: 'resumed' | 'leaving' = 'resumed'): AgentEvent => ({ uuid: randomUUID(), time, reported: { kind } });
const detectionOf = (): ReportedDetection => ({
  ...{ uuid: randomUUID(), time, name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl' },
  ...{ details: '/opt/anydesk', blocked: true, certainty: 'likely', why: '', start: 'person' },
});

it('a new store has nothing, and what was set survives a restart until it is withdrawn', async () => {
  const { folder, store, reopened } = await twoStores();
  const device = randomUUID();
  const change = { device, strict: true, undone: false, span, before: null };
  const farewell = { identity: identityOf('Den PC'), event: eventOf() };
  const notice = { device, event: randomUUID(), span: null };
  const pause = { device, span, resume: null, by_code: false };
  const cases: [() => Promise<unknown>, unknown, () => Promise<void>, unknown, (() => Promise<void>)?][] = [
    [reopened.changes, [], () => store.setChanges([change]), [change], () => store.setChanges([])],
    [reopened.farewells, [], () => store.setFarewells([farewell]), [farewell], () => store.setFarewells([])],
    [reopened.notice, null, () => store.setNotice(notice), notice, () => store.setNotice(null)],
    [reopened.pause, null, () => store.setPause(pause), pause, () => store.setPause(null)],
    [
      reopened.formerPin,
      null,
      () => store.setFormerPin({ pin, identity: null, span }),
      { pin, identity: null, span },
      () => store.setFormerPin(null),
    ],
    [reopened.unknownSince, null, () => store.setUnknownSince({ device, span }), { device, span }, () => store.setUnknownSince(null)],
    [reopened.timedAllowances, [], () => store.setTimedAllowances([{ key: 'k', issued: time, span }]), [{ key: 'k', issued: time, span }]],
    [reopened.freePlan, null, () => store.setFreePlan('removed'), 'removed'],
    [reopened.failedUpdates, [], () => store.noteFailedUpdate('1.0.1'), ['1.0.1']],
    [reopened.pinTries, null, () => store.setPinTries(untried), { wrong: 0, locks: 0, lock: null }],
  ];
  for (const [read, before, write, after, withdraw] of cases) {
    expect(await read()).toEqual(before);
    await write();
    expect(await read()).toEqual(after);
    await withdraw?.();
    if (withdraw) expect(await read()).toEqual(before);
  }
  expect(await reopened.nonceUsed('one')).toBe(false);
  expect(await reopened.definitions()).toBeNull();
  expect(await reopened.policy()).toBeNull();
  expect((await readdir(folder)).filter((name) => name.startsWith('pause'))).toEqual([]);
});

it('the last five hundred used links and the last twenty failed updates are remembered', async () => {
  const { folder, store } = await twoStores();
  const files = sealedFiles(await stateKey(folder), () => {});
  await files.write(
    join(folder, 'nonces.json'),
    Array.from({ length: 500 }, (_, n) => `n${n}`),
  );
  await store.useNonce('new');
  expect([await store.nonceUsed('n0'), await store.nonceUsed('n1'), await store.nonceUsed('new')]).toEqual([false, true, true]);
  for (let n = 0; n < 21; n++) await store.noteFailedUpdate(`1.0.${n}`);
  expect(await store.failedUpdates()).toEqual(Array.from({ length: 20 }, (_, n) => `1.0.${n + 1}`));
});

it('the attempt to use a code keeps its id over a restart, and another code gets another id', async () => {
  const { store, reopened } = await twoStores();
  expect(await store.enrolIdOf('ABCD-EFGH')).toBeNull();
  const id = await store.enrolId('ABCD-EFGH');
  expect([await reopened.enrolId('ABCD-EFGH'), await reopened.enrolIdOf('ABCD-EFGH')]).toEqual([id, id]);
  expect(await reopened.enrolIdOf('BCDE-FGHJ')).toBeNull();
  expect(await reopened.enrolId('BCDE-FGHJ')).not.toBe(id);
  expect(await reopened.enrolIdOf('ABCD-EFGH')).toBeNull();
});

it('a new device has nothing of the former one: policy, reports, pause, allowances and wrong PINs', async () => {
  const { folder, store, reopened } = await twoStores();
  const device = randomUUID();
  await store.enrolId('ABCD-EFGH');
  await store.savePolicy(signDocument({}, newKeyPair()));
  await store.queue(detectionOf());
  await store.queueEvent(eventOf());
  store.recordKill({ pid: 1, started: '1' }, detectionOf());
  await store.setPause({ device, span, resume: null, by_code: false });
  await store.setFormerPin({ pin, identity: null, span });
  await store.setUnknownSince({ device, span });
  await store.setTimedAllowances([{ key: 'k', issued: time, span }]);
  await store.setPinTries({ wrong: 3, locks: 1, lock: null });
  await store.setIdentity(identityOf('Den PC'));
  expect(await reopened.identity()).toMatchObject({ device: { name: 'Den PC' } });
  expect([await reopened.policyDocument(), await reopened.pause(), await reopened.formerPin(), await reopened.unknownSince()]).toEqual(
    Array(4).fill(null),
  );
  expect([await reopened.queued(), await reopened.pendingEvents(), await reopened.timedAllowances()]).toEqual([[], [], []]);
  expect(await readdir(join(folder, 'begun'))).toEqual([]);
  expect(await reopened.pinTries()).toEqual({ wrong: 0, locks: 0, lock: null });
  expect(await reopened.enrolIdOf('ABCD-EFGH')).toBeNull();
});

it('one PIN is checked at a time, and the next check begins when the previous one has ended or failed', async () => {
  const { store, reopened } = await twoStores();
  const steps: string[] = [];
  const check = (name: string, from: typeof store) =>
    from.withPinLock(async () => {
      steps.push(`${name} begins`);
      await from.setPinTries(untried);
      steps.push(`${name} ends`);
    });
  await expect(store.withPinLock(() => Promise.reject(new Error('no server')))).rejects.toThrow('no server');
  await Promise.all([check('a', store), check('b', reopened)]);
  const [first = ''] = steps;
  const order = first.startsWith('a') ? ['a', 'b'] : ['b', 'a'];
  expect(steps).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it('events are queued in the order of the calls, up to the limit, which does not apply to a notice of leaving', async () => {
  const { folder, store, reopened } = await twoStores();
  const events = Array.from({ length: 11 }, () => eventOf());
  for (const event of events) expect(await store.queueEvent(event)).toBe(true);
  expect(await reopened.pendingEvents()).toEqual(events);
  const names = (await reopened.eventFiles()).map((path) => basename(path));
  expect(names).toEqual(events.map(({ uuid }, n) => `${String(n + 1).padStart(12, '0')}-${uuid}.json`));
  const [fifth] = (await reopened.eventFiles()).slice(4);
  expect(await reopened.eventIn(fifth ?? '')).toEqual(events[4]);
  await store.eventReported(events[4] ?? eventOf());
  expect(await reopened.pendingEvents()).toEqual(events.filter((_, n) => n !== 4));

  const fill = (n: number) => writeFile(join(folder, 'events', `${String(n).padStart(12, '0')}-x.json`), '');
  for (let n = 12; n <= agentLimits.events_stored_max; n++) await fill(n);
  expect(await reopened.eventFiles()).toHaveLength(agentLimits.events_stored_max - 1);
  expect(await store.queueEvent(eventOf())).toBe(true);
  expect(await store.queueEvent(eventOf())).toBe(false);
  expect(await store.queueEvent(eventOf('leaving'))).toBe(true);
  expect(await reopened.eventFiles()).toHaveLength(agentLimits.events_stored_max + 1);
});

it('an interrupted kill is recovered once, at the next start if it could not be queued', async () => {
  const { folder, store, reopened } = await twoStores();
  const detections = [detectionOf(), detectionOf()];
  for (const detection of detections) store.recordKill({ pid: 1, started: '1' }, detection);
  await rm(join(folder, 'detections'), { recursive: true });
  await expect(reopened.recoverInterruptedKills(() => false)).rejects.toThrow('ENOENT');
  expect(await readdir(join(folder, 'begun'))).toHaveLength(2);
  await mkdir(join(folder, 'detections'));
  const restarted = await openStore(folder);
  await restarted.recoverInterruptedKills(() => false);
  expect((await restarted.queued()).map(({ uuid }) => uuid).toSorted()).toEqual(detections.map(({ uuid }) => uuid).toSorted());
  for (const detection of detections) await restarted.acknowledged(detection);
  await (await openStore(folder)).recoverInterruptedKills(() => false);
  expect(await restarted.queued()).toEqual([]);
});

it('files that a crash left half-written are removed from each folder at the next start', async () => {
  const { folder } = await twoStores();
  const leftovers = ['', 'detections', 'events'].map((name) => join(folder, name, 'a.json.tmp'));
  for (const path of leftovers) {
    await writeFile(path, '');
    await utimes(path, 0, 0);
  }
  await openStore(folder);
  for (const name of ['', 'detections', 'events']) expect(await readdir(join(folder, name))).not.toContain('a.json.tmp');
});

it('what cannot be written of the waiting starts leaves the previous ones', async () => {
  const { folder, store, reopened } = await twoStores();
  const start = (name: string) => ({ ...{ identifier: name, name }, processes: [{ pid: 7, started: '9' }], since: time });
  store.waitingStarts.writeNow([start('first')]);
  // In a process that may write nothing, as on a full disk.
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('./store.ts', import.meta.url).href)});
    (await openStore(process.argv[1])).waitingStarts.writeNow([]);`;
  const command = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script, folder];
  await expect(promisify(execFile)('sh', command)).rejects.toThrow('EFBIG');
  expect(await reopened.waitingStarts.read()).toEqual([start('first')]);
  store.waitingStarts.writeNow([]);
  expect(await reopened.waitingStarts.read()).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
