import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Listener, listen } from '../../db/listen.ts';
import { notify } from '../../db/notify.ts';
import type { Trx } from '../../db/open.ts';
import { agentInfo } from '../../testing/agent-info.ts';
import { mustWait } from '../../testing/row-lock.ts';
import { linkedDevice, person, type TestServer, testServer, until } from '../../testing/world.ts';
import { codeStore } from './code-store.ts';
import { deviceStore } from './store.ts';

/** Each statement beside a second device of the account and a neighbour's, which it must leave alone; and which agents it wakes. */

let server: TestServer;
let listener: Listener;
let devices: ReturnType<typeof deviceStore>;
let codes: ReturnType<typeof codeStore>;
let [account, neighbour, den, attic, theirs] = ['', '', '', '', ''];
let [token, neighboursToken] = ['', ''];
const woken: string[] = [];

async function newAccount(): Promise<[string, string]> {
  const { token: newToken, email } = await person(server);
  const row = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  return [row.uuid, newToken];
}
beforeAll(async () => {
  server = await testServer();
  [account, token] = await newAccount();
  [neighbour, neighboursToken] = await newAccount();
  devices = deviceStore(server.db, server.clock);
  codes = codeStore(server.db, server.clock);
  listener = await listen(server.database_url);
  listener.on('device', (uuid) => void woken.push(uuid));
});
beforeEach(async () => {
  await server.db.deleteFrom('devices').execute();
  [attic, den] = [(await linkedDevice(server, token, 'Attic PC')).uuid, (await linkedDevice(server, token)).uuid];
  theirs = (await linkedDevice(server, neighboursToken)).uuid;
});
afterAll(async () => {
  await listener.close();
  await server.close();
});

const [attempt, anotherAttempt] = [randomUUID(), randomUUID()];
const at = (ms: number) => new Date(server.clock.now().getTime() + ms);
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => server.db.transaction().execute(work);
/** The agents that this statement wakes, and its answer. */
async function wokenBy<T>(work: (trx: Trx) => Promise<T>): Promise<[string[], T]> {
  const [begin, end] = [randomUUID(), randomUUID()];
  const mark = (uuid: string) => inTrx((trx) => notify(trx, 'device', uuid));
  await mark(begin);
  const answer = await inTrx(work);
  // Notifications arrive in the order of the transactions: those of `work` are between the marks.
  await mark(end);
  await until('the mark', () => woken.includes(end));
  return [woken.slice(woken.indexOf(begin) + 1, woken.indexOf(end)).toSorted(), answer];
}
const versions = async () =>
  Object.fromEntries(
    (await server.db.selectFrom('devices').select(['uuid', 'policy_version']).execute()).map((row) => [row.uuid, row.policy_version]),
  );

test('a change, the end of a pause, a new policy and a removal wake the agent of their device, and of no other', async () => {
  const change = { name: 'Kitchen', policy: 'permissive' };
  for (const write of [
    (trx: Trx, owner: string, uuid: string) => devices.update(trx, owner, uuid, change),
    (trx: Trx, owner: string, uuid: string) => devices.resume(trx, owner, uuid),
    async (trx: Trx, owner: string, uuid: string) => (await devices.bumpPolicy(trx, owner, uuid)) !== undefined,
    (trx: Trx, owner: string, uuid: string) => devices.remove(trx, owner, uuid),
  ]) {
    const before = await versions();
    expect(await wokenBy((trx) => write(trx, neighbour, attic))).toEqual([[], false]);
    expect(await wokenBy((trx) => write(trx, account, attic))).toEqual([[attic], true]);
    const after = await versions();
    expect(after[theirs]).toBe(before[theirs]);
    expect(after[attic]).not.toBe(before[attic]);
    expect(after[den]).toBe(before[den]);
  }
  const named = await server.db.selectFrom('devices').select(['name', 'policy', 'resume']).where('uuid', '=', den).executeTakeFirst();
  expect(named).toEqual({ name: 'Den PC', policy: 'strict', resume: null });
  expect(await inTrx((trx) => devices.bumpPolicy(trx, account, attic))).toBeUndefined();
  const bumped = () => inTrx((trx) => devices.bumpPolicy(trx, account, den));
  expect(await bumped()).toEqual({ name: 'Den PC', time_zone: 'America/New_York' });
  await server.db.updateTable('devices').set({ info: null }).where('uuid', '=', den).execute();
  expect(await bumped()).toEqual({ name: 'Den PC', time_zone: 'UTC' });
});

test('a changed profile reaches the devices of this account that have it', async () => {
  await inTrx((trx) => devices.update(trx, account, attic, { name: 'Attic PC', policy: 'permissive' }));
  expect(await wokenBy((trx) => devices.profileChanged(trx, account, 'strict', 'permissive'))).toEqual([[den], undefined]);
  expect(await wokenBy((trx) => devices.policyChanged(trx, { account, device: null }))).toEqual([[attic, den].toSorted(), undefined]);
  expect((await devices.get(neighbour, theirs))?.policy).toBe('strict');
  expect((await devices.get(account, den))?.policy).toBe('permissive');
});

test('devices are listed in the order in which they were added, whichever was changed last', async () => {
  server.clock.turn(1000);
  const third = (await linkedDevice(server, token, 'Kitchen')).uuid;
  await server.db
    .updateTable('devices')
    .set({ created: at(-2000) })
    .where('uuid', '=', den)
    .execute();
  await server.db
    .updateTable('devices')
    .set({ created: at(-1000) })
    .where('uuid', '=', attic)
    .execute();
  expect((await devices.list(account)).map(({ uuid }) => uuid)).toEqual([den, attic, third]);
});

test('adding a device and reports of a device wait for their account and their device only', async () => {
  const count = (owner: string) => (trx: Trx) => devices.countLocked(trx, owner);
  expect(await mustWait(server, count(account), count(account))).toBe(true);
  expect(await mustWait(server, count(account), count(neighbour))).toBe(false);
  expect(await inTrx(count(account))).toBe(2);
  const report = (uuid: string) => (trx: Trx) => devices.lockForReport(trx, uuid);
  expect(await mustWait(server, report(den), report(den))).toBe(true);
  expect(await mustWait(server, report(den), report(attic))).toBe(false);
  expect(await inTrx(report(attic))).toMatchObject({ uuid: attic, name: 'Attic PC' });
});

test('an agent that is installed, seen or detects something changes its own device', async () => {
  const rowOf = (uuid: string) =>
    server.db
      .selectFrom('devices')
      .select(['last_seen', 'last_detection', 'info', 'enrol_id', 'installed'])
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow();
  const before = await rowOf(attic);
  server.clock.turn(1000);
  await inTrx((trx) => devices.markInstalled(trx, den, { ...agentInfo, name: 'new' }, attempt));
  expect(await rowOf(den)).toMatchObject({ installed: at(0), enrol_id: attempt, info: { name: 'new' } });
  server.clock.turn(1000);
  await devices.seen(den);
  expect(await rowOf(den)).toMatchObject({ last_seen: at(0), enrol_id: null, info: { name: 'new' } });
  await devices.seen(den, { info: agentInfo });
  expect(await rowOf(den)).toMatchObject({ info: agentInfo });
  await inTrx((trx) => devices.noteDetection(trx, den, at(5)));
  await inTrx((trx) => devices.noteDetection(trx, den, at(1)));
  expect(await rowOf(den)).toMatchObject({ last_detection: at(5) });
  expect(await rowOf(attic)).toEqual(before);
});

test('a change of devices is seen from the next version on, and of a removed device at once', async () => {
  const { [den]: version = 0, [attic]: other = 0 } = await versions();
  const gone = randomUUID();
  const changed = (known: [string, number][]) => devices.changedOf(new Map(known));
  expect(
    await changed([
      [den, version],
      [attic, other],
      [gone, 99],
    ]),
  ).toEqual([gone]);
  expect(
    await changed([
      [den, version - 1],
      [attic, other],
    ]),
  ).toEqual([den]);
});

test('a device is used by another person when its user is known and not the holder', async () => {
  const usedBy = (is_holder: boolean | null) =>
    server.db
      .updateTable('devices')
      .set({ person: is_holder === null ? null : JSON.stringify({ name: 'Pat', is_holder, phone_number: null }) })
      .where('uuid', '=', theirs)
      .execute()
      .then(() => devices.accountIfUsedByOther(theirs));
  expect([await usedBy(false), await usedBy(true), await usedBy(null)]).toEqual([neighbour, undefined, undefined]);
  expect(await devices.accountIfUsedByOther(randomUUID())).toBeUndefined();
});

test('what has a time shows until exactly that time: Strict, leaving, and a pause', async () => {
  const set = (ms: number) =>
    server.db
      .updateTable('devices')
      .set({ strict_until: at(ms), leaves: at(ms) })
      .where('uuid', '=', den)
      .execute();
  const pause = { device: den, kind: 'paused' as const, since: at(-1) };
  await server.db
    .insertInto('device_outages')
    .values({ ...pause, until: at(1) })
    .execute();
  await set(1);
  expect(await devices.get(account, den)).toMatchObject({
    ...{ strict_until: at(1).toISOString(), leaves: at(1).toISOString() },
    outage: { kind: 'paused', since: at(-1).toISOString(), until: at(1).toISOString() },
  });
  expect(await devices.get(account, attic)).toMatchObject({ uuid: attic, outage: null });
  server.clock.turn(1);
  const device = await devices.get(account, den);
  expect(device).toMatchObject({ uuid: den, outage: null });
  expect(device).not.toHaveProperty('strict_until');
  expect(device).not.toHaveProperty('leaves');
  await server.db.updateTable('device_outages').set({ kind: 'asleep', until: null }).execute();
  expect((await devices.get(account, den))?.outage).toEqual({ kind: 'asleep', since: at(-2).toISOString() });
  expect(await devices.get(neighbour, den)).toBeNull();
});

test('a code belongs to its device, works until exactly its end and once', async () => {
  const { code, expires } = await inTrx((trx) => codes.renew(trx, den));
  const atticsCode = await inTrx((trx) => codes.renew(trx, attic));
  expect(expires).toEqual(at(serverLimits.device_code_life));
  const unused = (device: string) => inTrx((trx) => codes.unused(trx, device));
  expect([(await unused(den))?.code, (await unused(attic))?.code]).toEqual([code, atticsCode.code]);
  const renewed = await inTrx((trx) => codes.renew(trx, den));
  expect([await codes.find(code), await codes.find(renewed.code), await codes.find(atticsCode.code)]).toMatchObject([
    undefined,
    { device: den, used: null },
    { device: attic },
  ] as never);
  expect(await codes.whose(renewed.code, null)).toEqual({ account, device_name: 'Den PC' });

  expect(await inTrx((trx) => codes.useUp(trx, renewed.code))).toBe(den);
  expect(await inTrx((trx) => codes.useUp(trx, renewed.code))).toBeNull();
  expect(await unused(den)).toBeUndefined();
  await inTrx((trx) => codes.renew(trx, den));
  expect((await codes.find(renewed.code))?.used).toEqual(at(0));
  expect((await codes.find(atticsCode.code))?.used).toBeNull();

  server.clock.turn(serverLimits.device_code_life - 1);
  expect([(await unused(attic))?.code, (await codes.whose(atticsCode.code, null))?.device_name]).toEqual([atticsCode.code, 'Attic PC']);
  server.clock.turn(1);
  expect(await unused(attic)).toBeUndefined();
  expect(await codes.whose(atticsCode.code, null)).toBeUndefined();
  expect(await inTrx((trx) => codes.useUp(trx, atticsCode.code))).toBeNull();
});

test('an attempt that lost its answer gets its device again until the code ends, and only its own unused token is deleted', async () => {
  const { code } = await inTrx((trx) => codes.renew(trx, den));
  const redeemed = (id: string) => inTrx((trx) => codes.redeemedByLostEnrolment(trx, code, id));
  await inTrx((trx) => devices.markInstalled(trx, den, agentInfo, attempt));
  expect(await redeemed(attempt)).toBeNull();
  await inTrx((trx) => codes.useUp(trx, code));
  await inTrx((trx) => codes.newDeviceToken(trx, den));
  const atticsToken = await inTrx((trx) => codes.newDeviceToken(trx, attic));
  expect(await codes.whose(code, null)).toBeUndefined();
  expect(await codes.whose(code, anotherAttempt)).toBeUndefined();
  expect(await codes.whose(code, attempt)).toMatchObject({ account });
  expect(await redeemed(anotherAttempt)).toBeNull();
  const again = (trx: Trx) => codes.redeemedByLostEnrolment(trx, code, attempt);
  expect(await mustWait(server, again, again)).toBe(true);
  server.clock.turn(serverLimits.device_code_life - 1);
  expect(await redeemed(attempt)).toBe(den);
  expect(await server.db.selectFrom('device_tokens').selectAll().where('device', '=', den).execute()).toEqual([]);
  expect(await codes.deviceOf(atticsToken)).toEqual({ device: attic });
  server.clock.turn(1);
  expect(await redeemed(attempt)).toBeNull();
  await inTrx((trx) => devices.remove(trx, account, attic));
  expect([await codes.deviceOf(atticsToken), await codes.deviceOf('unknown')]).toEqual(['removed', null]);
});
