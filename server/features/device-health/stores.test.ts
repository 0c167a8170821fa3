import { randomUUID } from 'node:crypto';
import { serverLimits as limit } from '@porchlight/contract/server-limits.ts';
import { day, minute } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '../../db/open.ts';
import { defaultSettings, settingsStore } from '../../notifications/settings.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { outageStore } from './outage-store.ts';
import { watchStore } from './watch-store.ts';

/** The exact moments at which a device counts as offline, and the second device that a statement must leave alone. */

let server: TestServer;
let account: string;
let [den, attic] = ['', ''];
let store: ReturnType<typeof watchStore>;
let outages: ReturnType<typeof outageStore>;
let token: string;
beforeAll(async () => {
  server = await testServer();
  token = (await person(server)).token;
  account = (await server.db.selectFrom('accounts').select('uuid').executeTakeFirstOrThrow()).uuid;
  store = watchStore(server.db, server.clock);
  outages = outageStore(server.clock);
});
beforeEach(async () => {
  await server.db.deleteFrom('devices').execute();
  attic = (await linkedDevice(server, token, 'Attic PC')).uuid;
  den = (await linkedDevice(server, token)).uuid;
  await server.db.deleteFrom('device_watch').execute();
  await server.db.deleteFrom('activity_log').execute();
});
afterAll(() => server.close());

const at = (ms: number) => new Date(server.clock.now().getTime() + ms);
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => server.db.transaction().execute(work);
const seen = (device: string, last_seen: Date | null) =>
  server.db.updateTable('devices').set({ last_seen }).where('uuid', '=', device).execute();
const watched = async () =>
  new Map((await server.db.selectFrom('device_watch').selectAll().execute()).map(({ device, ...row }) => [device, row]));
const insertWatch = (device: string, due: Date) =>
  server.db.insertInto('device_watch').values({ device, due, says_sleep: false }).execute();
const insertDetection = (device: string, received: Date) =>
  server.db
    .insertInto('detections')
    .values({
      ...{ uuid: randomUUID(), device, account, time: received, received, name: 'AnyDesk', identifier: 'anydesk' },
      ...{ category: 'RemoteControl', details: '', blocked: true, certainty: 'certain', counted_into: null },
    })
    .execute();
/** The only uptime intervals of the server, in milliseconds from now. */
async function insertUptime(...intervals: [since: number, until: number][]): Promise<void> {
  await server.db.deleteFrom('server_uptime').execute();
  const rows = intervals.map(([since, until]) => ({ since: at(since), until: at(until) }));
  await server.db.insertInto('server_uptime').values(rows).execute();
}
/** Devices of the account with these due times. */
async function insertDevices(count: number, dueInMs: (n: number) => number): Promise<void> {
  const uuids = Array.from({ length: count }, () => randomUUID());
  const dues = uuids.map((_, n) => at(dueInMs(n)));
  await sql`insert into devices (uuid, account, name, policy, created, last_seen)
    select u, ${account}, 'PC', 'standard', ${at(0)}, d from unnest(${uuids}::uuid[], ${dues}::timestamptz[]) as rows (u, d)`.execute(
    server.db,
  );
  await sql`insert into device_watch (device, due, says_sleep) select u, d, false
    from unnest(${uuids}::uuid[], ${dues}::timestamptz[]) as rows (u, d)`.execute(server.db);
}

test('a check-in leaves a watched device alone while its due time is more than ten minutes away and it reports sleep as before', () => {
  const watch = (due: Date | null, says_sleep: boolean | null = false) => store.isWatched({ due, says_sleep }, false);
  expect([watch(at(10 * minute + 1)), watch(at(10 * minute)), watch(null), watch(at(11 * minute), true)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('watching, postponing and ending the watch of a device change no other device, and a removed device is not watched', async () => {
  await store.watch(den, true);
  await store.watch(randomUUID(), true);
  expect(await watched()).toEqual(new Map([[den, { due: at(limit.outage_quiet), says_sleep: true, widespread: null }]]));
  await store.watch(attic, false);
  expect(await store.known(den)).toMatchObject({ due: at(limit.outage_quiet), says_sleep: true });
  expect(await store.known(attic)).toMatchObject({ says_sleep: false });
  expect(await store.known(randomUUID())).toBeUndefined();
  const postpone = (due: Date) => inTrx((trx) => store.watchUntil(trx, den, due));
  expect((await postpone(at(1)))[0]?.numUpdatedRows).toBe(1n);
  expect((await postpone(at(1)))[0]?.numUpdatedRows).toBe(0n);
  expect((await watched()).get(attic)?.due).toEqual(at(limit.outage_quiet));
  await inTrx((trx) => store.unwatch(trx, den));
  expect([...(await watched()).keys()]).toEqual([attic]);
});

test('times offline are counted for their device, and forgotten after exactly fourteen days', async () => {
  const spells = async () =>
    (await server.db.selectFrom('offline_spells').selectAll().orderBy('ended').execute()).map(({ device }) => device);
  await store.noteOffline(den);
  await store.noteOffline(randomUUID());
  expect(await spells()).toEqual([den]);
  server.clock.turn(1);
  await store.noteOffline(attic);
  server.clock.turn(limit.offline_spells_in - 1);
  await store.forgetOffline();
  expect(await spells()).toEqual([attic]);
});

test('checks have run without a gap while at most two intervals are between them', async () => {
  await server.db.deleteFrom('listening').execute();
  const started = server.clock.now();
  expect(await store.recordCheck()).toEqual({ since: started, deaf: false, refused: null });
  server.clock.turn(2 * limit.outage_poll);
  expect((await store.recordCheck()).since).toEqual(started);
  server.clock.turn(2 * limit.outage_poll + 1);
  expect((await store.recordCheck()).since).toEqual(server.clock.now());
});

test('devices that went offline together wait, and neither online devices nor those that went offline at another time', async () => {
  await insertWatch(den, at(8 * minute));
  await insertWatch(attic, at(8 * minute + 1));
  for (const device of [den, attic]) await seen(device, at(-minute));
  await store.holdTogether(at(-3 * minute), at(-2 * minute));
  expect([...(await watched()).values()].map((row) => row.widespread)).toEqual([null, null]);
  await store.holdTogether(at(-minute), at(-minute));
  expect([(await watched()).get(den)?.widespread, (await watched()).get(attic)?.widespread]).toEqual([server.clock.now(), null]);
});

test('trouble is a detection or a weakening act within the last hour, of this device or its account', async () => {
  const isTroubled = (device: string) => inTrx((trx) => store.isTroubled(trx, device));
  expect(await isTroubled(den)).toBe(false);
  await insertDetection(den, at(-limit.outage_trouble));
  expect(await isTroubled(den)).toBe(false);
  await insertDetection(den, at(1 - limit.outage_trouble));
  expect([await isTroubled(den), await isTroubled(attic)]).toEqual([true, false]);
});

test('other devices: those that are due within eight minutes, the fifty that called last, and as many online ones as matter', async () => {
  await insertWatch(den, at(8 * minute));
  await insertWatch(attic, at(8 * minute + 1));
  await seen(den, at(-9 * minute));
  await seen(attic, null);
  expect(await store.otherDevices()).toEqual({ last_seen: new Map([[den, at(-9 * minute).getTime()]]), online: 1 });
  await insertDevices(60, (n) => 9 * minute + ((n * 37) % 60));
  const { last_seen, online } = await store.otherDevices();
  expect(online).toBe(limit.outage_share + 1);
  const times = [...last_seen.values()].map((time) => time - at(9 * minute).getTime());
  expect(times.toSorted((a, b) => a - b)).toEqual([-18 * minute, ...Array.from({ length: 50 }, (_, n) => n + 10)]);
});

test('the last of more than ten thousand offline devices count', async () => {
  await insertDevices(10_002, (n) => -((n * 7919) % 10_002) - 1);
  const times = [...(await store.otherDevices()).last_seen.values()].map((time) => server.clock.now().getTime() - time);
  expect(times).toHaveLength(10_000);
  expect(Math.max(...times)).toBe(10_000);
});

test('an offline device has trouble when an event of the last three hours came later than an hour before it was last seen', async () => {
  await insertWatch(den, at(0));
  await insertWatch(attic, at(1));
  for (const device of [den, attic]) await seen(device, at(-150 * minute));
  const trouble = async () => (await store.offlineDevices(server.db)).map(({ uuid, trouble: has }) => [uuid, has]);
  expect(await trouble()).toEqual([[den, false]]);
  await seen(den, at(-125 * minute));
  await insertDetection(den, at(-180 * minute));
  expect(await trouble()).toEqual([[den, false]]);
  await seen(den, at(-119 * minute));
  await insertDetection(den, at(1 - 180 * minute));
  expect(await trouble()).toEqual([[den, false]]);
  await seen(den, at(-119 * minute - 2000));
  await insertDetection(den, at(-179 * minute));
  expect(await trouble()).toEqual([[den, true]]);
  await insertDetection(attic, at(-minute));
  expect(new Map((await trouble()) as [string, boolean][])).toEqual(
    new Map([
      [den, true],
      [attic, true],
    ]),
  );
  const ofAttic = await store.offlineDevices(server.db, attic);
  expect(ofAttic).toMatchObject([{ uuid: attic, offline_spells: 0, widespread: null }]);
  await server.db.updateTable('devices').set({ info: null }).where('uuid', '=', attic).execute();
  expect((await store.offlineDevices(server.db, attic))[0]?.time_zone).toBe('UTC');
  expect(await inTrx((trx) => outages.lock(trx, attic))).toMatchObject({ uuid: attic, time_zone: 'UTC' });
  expect(await inTrx((trx) => outages.lock(trx, randomUUID()))).toBeUndefined();
});

test('an outage replaces the previous one with all that was known of it, and each device has its own', async () => {
  await inTrx((trx) => outages.begin(trx, attic, 'asleep', at(-2)));
  await inTrx((trx) => outages.begin(trx, den, 'paused', at(-1), { until: at(9), notified_at: at(0), early: true }));
  const known = (device: string) => inTrx((trx) => outages.of(trx, device));
  expect(await known(den)).toEqual({
    ...{ device: den, kind: 'paused', since: at(-1), until: at(9), notified_at: at(0) },
    ...{ early: true, early_since: at(-1) },
  });
  await inTrx((trx) => outages.begin(trx, den, 'switched_off', at(0)));
  expect(await known(den)).toMatchObject({ kind: 'switched_off', until: null, notified_at: null, early: true, early_since: at(-1) });
  await inTrx((trx) => outages.markNotified(trx, den));
  expect((await known(den))?.notified_at).toEqual(at(0));
  expect(await known(attic)).toMatchObject({ kind: 'asleep', notified_at: null, early: false, early_since: null });
  await inTrx((trx) => outages.begin(trx, attic, 'asleep', at(-2), { early: true }));
  const take = (device: string) => inTrx((trx) => outages.takeEarly(trx, device));
  expect(await take(den)).toMatchObject({ device: den });
  expect(await take(den)).toBeUndefined();
  expect(await take(attic)).toMatchObject({ device: attic });
  expect(await inTrx((trx) => outages.endOutage(trx, den))).toMatchObject({ device: den });
  expect(await known(attic)).toMatchObject({ kind: 'asleep' });
});

test('a device that is back ends its pause from the moment of the end on, and resuming ends pauses of this device only', async () => {
  const begin = (device: string, until: Date, early = false) =>
    inTrx((trx) => outages.begin(trx, device, 'paused', at(-minute), { until, early, notified_at: at(0) }));
  const end = () => inTrx((trx) => outages.endOutage(trx, den));
  const kindOf = async (device: string) => (await inTrx((trx) => outages.of(trx, device)))?.kind;
  await begin(attic, at(minute));
  await begin(den, at(1));
  expect(await end()).toBeUndefined();
  server.clock.turn(1);
  expect(await end()).toMatchObject({ kind: 'paused' });
  await begin(den, at(minute));
  await inTrx((trx) => outages.endPause(trx, den));
  expect([await kindOf(den), await kindOf(attic)]).toEqual([undefined, 'paused']);
  await begin(den, at(minute), true);
  await inTrx((trx) => outages.endPause(trx, den));
  expect(await inTrx((trx) => outages.of(trx, den))).toMatchObject({
    kind: 'vanished',
    early: true,
    early_since: at(-minute),
    until: null,
  });
  // `notified_at` stays, so that nobody is notified twice.
  expect((await inTrx((trx) => outages.of(trx, den)))?.notified_at).toEqual(at(0));
  await inTrx((trx) => outages.endPause(trx, den));
  expect(await kindOf(den)).toBe('vanished');
});

test('an event of a device is new once, and for each device', async () => {
  const event = { uuid: randomUUID(), time: at(0).toISOString(), reported: { kind: 'resumed' } as const };
  const isNew = (device: string) => inTrx((trx) => outages.isNew(trx, device, event));
  expect([await isNew(den), await isNew(den), await isNew(attic)]).toEqual([true, false, true]);
});

test.each([null, 1, 3, 7] as const)(
  'a silent device is due after exactly the days chosen (%s; three without a choice), of which the downtime of the server is none',
  async (chosen) => {
    await server.db.deleteFrom('alert_settings').execute();
    if (chosen) await inTrx((trx) => settingsStore(server.db).set(trx, account, { ...defaultSettings, notify_after_days: chosen }));
    const days = chosen ?? 3;
    await seen(attic, at(0));
    const isDue = async (last_seen: Date) => {
      await seen(den, last_seen);
      return (await outages.due(server.db)).length > 0;
    };
    await insertUptime([-9 * day, 0]);
    expect([await isDue(at(1 - days * day)), await isDue(at(-days * day))]).toEqual([false, true]);
    // The server was down for nine days, and up for half a day since then.
    await insertUptime([-20 * day, -9.5 * day], [-0.5 * day, 0]);
    expect([await isDue(at(1 - (days + 9) * day)), await isDue(at(-(days + 9) * day))]).toEqual([false, true]);
    await insertUptime([1 - days * day, 0]);
    expect(await isDue(at(-9 * day))).toBe(false);
    await server.db.deleteFrom('alert_settings').execute();
  },
);

test('a holder is notified of a silent device after exactly the days they chose, and not twice or of another device', async () => {
  await inTrx((trx) => settingsStore(server.db).set(trx, account, { ...defaultSettings, notify_after_days: 1 }));
  await insertUptime([-9 * day, 0]);
  const due = async (device?: string) => (await outages.due(server.db, device)).map(({ uuid, kind }) => `${uuid} ${kind}`).toSorted();
  await seen(den, at(1 - day));
  await seen(attic, at(0));
  expect(await due()).toEqual([]);
  await seen(den, at(-day));
  expect(await due()).toEqual([`${den} vanished`]);
  expect([await due(den), await due(attic)]).toEqual([[`${den} vanished`], []]);
  await inTrx((trx) => outages.begin(trx, den, 'uninstalled', at(-day)));
  expect(await due()).toEqual([]);
  await inTrx((trx) => outages.begin(trx, den, 'paused', at(-day), { until: at(1) }));
  expect(await due()).toEqual([]);
  await inTrx((trx) => outages.begin(trx, den, 'paused', at(-day), { until: at(0) }));
  expect(await due()).toEqual([`${den} vanished`]);
  await inTrx((trx) => outages.begin(trx, den, 'asleep', at(1 - day)));
  expect(await due()).toEqual([]);
  await inTrx((trx) => outages.begin(trx, den, 'asleep', at(-day)));
  expect([await due(), await due(den), await due(attic)]).toEqual([[`${den} asleep`], [`${den} asleep`], []]);
  await inTrx((trx) => outages.markNotified(trx, den));
  expect(await due()).toEqual([]);
});
