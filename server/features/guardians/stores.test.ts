import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '../../db/open.ts';
import { sealer } from '../../secrets/seal.ts';
import { mustWait } from '../../testing/row-lock.ts';
import { newcomer, type TestServer, testServer } from '../../testing/world.ts';
import { acknowledgementStore } from './acknowledgement-store.ts';
import { guardianCodeStore as codes } from './code-store.ts';
import { maskedPhone, phoneOf, stateOf, textsOf } from './rules.ts';
import { guardianStore } from './store.ts';
import { visitStore } from './visit-store.ts';

/** Each statement beside a second guardian and a neighbour's guardian, whom it must leave alone. */

let server: TestServer;
let guardians: ReturnType<typeof guardianStore>;
let [account, neighbour, bob, cleo, theirs] = ['', '', '', '', ''];
beforeAll(async () => {
  server = await testServer();
  guardians = guardianStore(server.db, server.clock, sealer('a secret key for tests, thirty-two characters'));
  const accounts = await Promise.all([newcomer(server), newcomer(server)]);
  const rows = await server.db.selectFrom('accounts').select(['uuid', 'email']).execute();
  [account = '', neighbour = ''] = accounts.map(({ email }) => rows.find((row) => row.email === email)?.uuid ?? '');
});
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => server.db.transaction().execute(work);
const invite = async (owner: string, name: string) =>
  (await inTrx((trx) => guardians.create(trx, owner, name, `${name}@example.org`))).uuid;
beforeEach(async () => {
  await server.db.deleteFrom('guardians').execute();
  theirs = await invite(neighbour, 'bob');
  [bob, cleo] = [await invite(account, 'bob'), await invite(account, 'cleo')];
});
afterAll(() => server.close());

const at = (ms: number) => new Date(server.clock.now().getTime() + ms);
const rowOf = (uuid: string) => server.db.selectFrom('guardians').selectAll().where('uuid', '=', uuid).executeTakeFirst();
const set = (uuid: string, values: object) => server.db.updateTable('guardians').set(values).where('uuid', '=', uuid).execute();
const ids = (rows: { uuid: string }[]) => rows.map(({ uuid }) => uuid);

test('guardians are listed by invitation and then by id, the active ones alone, and each account its own', async () => {
  const dora = await invite(account, 'dora');
  for (const uuid of [dora, cleo, bob]) await set(uuid, { accepted: at(0) });
  await set(dora, { invited: at(-1) });
  const order = [dora, ...[bob, cleo].toSorted()];
  expect([ids(await guardians.list(account)), ids(await guardians.active(account))]).toEqual([order, order]);
  await set(bob, { accepted: null });
  expect(ids(await guardians.active(account))).toEqual(order.filter((uuid) => uuid !== bob));
  expect(ids(await guardians.byEmail('BOB@example.org'))).toEqual([bob, theirs].toSorted());
  expect([(await guardians.get(account, cleo))?.name, await guardians.get(neighbour, cleo)]).toEqual(['cleo', undefined]);
  expect([(await guardians.byUuid(cleo))?.name, await guardians.byUuid(randomUUID())]).toEqual(['cleo', undefined]);
});

test('inviting waits for its account, and an act of a guardian for this guardian only', async () => {
  const list = (owner: string) => (trx: Trx) => guardians.listLocked(trx, owner);
  expect([await mustWait(server, list(account), list(account)), await mustWait(server, list(account), list(neighbour))]).toEqual([
    true,
    false,
  ]);
  expect(ids(await inTrx(list(account))).toSorted()).toEqual([bob, cleo].toSorted());
  const lock = (uuid: string) => (trx: Trx) => guardians.locked(trx, uuid);
  expect([await mustWait(server, lock(bob), lock(bob)), await mustWait(server, lock(bob), lock(cleo))]).toEqual([true, false]);
});

test('accepting, declining, leaving, a new invitation and removing change one guardian', async () => {
  const [before, beforeTheirs] = [await rowOf(cleo), await rowOf(theirs)];
  await set(bob, { phone_number: '+12125550143', phone_number_verified: true, mail: false, sms: false });
  await inTrx((trx) => guardians.accept(trx, bob));
  expect(await rowOf(bob)).toMatchObject({ accepted: at(0), declined: null, left_at: null });
  await inTrx((trx) => guardians.leave(trx, bob));
  expect(await rowOf(bob)).toMatchObject({
    ...{ accepted: null, declined: null, left_at: at(0), mail: true, sms: true },
    ...{ phone_number: null, phone_number_verified: false },
  });
  await inTrx((trx) => guardians.decline(trx, bob));
  expect(await rowOf(bob)).toMatchObject({ accepted: null, declined: at(0), left_at: null });
  expect(await inTrx((trx) => guardians.renew(trx, neighbour, bob))).toBeUndefined();
  server.clock.turn(1);
  expect(await inTrx((trx) => guardians.renew(trx, account, bob))).toMatchObject({ uuid: bob, invited: at(0), declined: null });
  expect(await inTrx((trx) => guardians.remove(trx, neighbour, bob))).toBeUndefined();
  expect(await inTrx((trx) => guardians.remove(trx, account, bob))).toMatchObject({ uuid: bob });
  expect([await rowOf(cleo), await rowOf(theirs), await rowOf(bob)]).toEqual([before, beforeTheirs, undefined]);
});

test('a number is verified for its guardian while it is still their number, and a new number must be verified again', async () => {
  const [number, otherNumber] = ['+12125550143', '+12125550144'];
  for (const uuid of [bob, cleo]) await inTrx((trx) => guardians.setPhone(trx, uuid, number));
  const verify = (phone: string) => inTrx((trx) => guardians.markPhoneVerified(trx, bob, phone));
  await verify(otherNumber);
  expect(await rowOf(bob)).toMatchObject({ phone_number_verified: false });
  await verify(number);
  expect([await rowOf(bob), await rowOf(cleo)]).toMatchObject([{ phone_number_verified: true }, { phone_number_verified: false }]);
  expect(await guardians.withPhone(number)).toEqual([]);
  for (const uuid of [bob, cleo]) await set(uuid, { accepted: at(0) });
  expect(ids(await guardians.withPhone(number))).toEqual([bob]);
  expect(await guardians.withPhone(otherNumber)).toEqual([]);
  await inTrx((trx) => guardians.setPhone(trx, bob, otherNumber));
  expect(await rowOf(bob)).toMatchObject({ phone_number: otherNumber, phone_number_verified: false });
});

test('attempts at a code are counted for one guardian, from nothing for each new code', async () => {
  const code = { phone_number: '+12125550143', code_hash: Buffer.from('x'), expires: at(0) };
  const locked = (uuid: string) => (trx: Trx) => codes.locked(trx, uuid);
  const tries = async (uuid: string) => (await inTrx(locked(uuid)))?.tries;
  for (const uuid of [cleo, bob]) await inTrx((trx) => codes.put(trx, uuid, code));
  expect(await tries(bob)).toBe(0);
  for (let n = 0; n < 2; n++) await inTrx((trx) => codes.countTry(trx, bob));
  expect([await tries(bob), await tries(cleo)]).toEqual([2, 0]);
  await inTrx((trx) => codes.put(trx, bob, code));
  expect(await tries(bob)).toBe(0);
  expect([await mustWait(server, locked(bob), locked(bob)), await mustWait(server, locked(bob), locked(cleo))]).toEqual([true, false]);
  await inTrx((trx) => codes.drop(trx, bob));
  expect([await tries(bob), await tries(cleo)]).toEqual([undefined, 0]);
});

test('visits: the last hundred of a guardian are stored, one counts after ten minutes, and the others’ visits stay', async () => {
  const visits = visitStore(server.db, server.clock);
  const add = (uuid: string) => inTrx((trx) => visits.add(trx, uuid));
  for (const uuid of [theirs, cleo]) await add(uuid);
  const first = at(1);
  const count = serverLimits.page_visits_shown;
  for (let n = 0; n < count; n++) {
    server.clock.turn(1);
    await add(bob);
  }
  const stored = () => server.db.selectFrom('guardian_visits').select(['guardian', 'time']).execute();
  expect(await stored()).toHaveLength(count + 2);
  const shown = await visits.of(bob);
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([count, at(0), first]);
  server.clock.turn(1);
  await add(bob);
  expect((await stored()).filter(({ guardian }) => guardian === bob)).toHaveLength(count);
  expect((await visits.of(bob))[0]).toEqual(at(0));
  expect(await visits.of(cleo)).toHaveLength(1);
  expect(await visits.lastOf(account)).toEqual(
    new Map([
      [bob, at(0)],
      [cleo, new Date(first.getTime() - 1)],
    ]),
  );
  server.clock.turn(serverLimits.page_visit_gap - 1);
  expect([await visits.counts(bob), await visits.counts(cleo)]).toEqual([false, true]);
  server.clock.turn(1);
  expect(await visits.counts(bob)).toBe(true);
});

test('acknowledgements: the first of each guardian counts, oldest first and then by guardian, of this account and alert', async () => {
  const acknowledgements = acknowledgementStore(server.db, server.clock);
  const [alert, otherAlert] = [randomUUID(), randomUUID()];
  const add = (uuid: string, name: string, owner = account, which = alert) =>
    inTrx((trx) => acknowledgements.add(trx, { uuid, account: owner, name }, which));
  const names = async (owner = account) => (await acknowledgements.of(owner, [alert])).get(alert)?.map(({ name }) => name);
  const [first = '', second = ''] = [bob, cleo].toSorted();
  await add(second, 'second');
  await add(first, 'first');
  await add(theirs, 'theirs', neighbour);
  await add(second, 'second', account, otherAlert);
  expect([await names(), await names(neighbour)]).toEqual([['first', 'second'], ['theirs']]);
  server.clock.turn(1);
  await add(first, 'again');
  expect(await names()).toEqual(['first', 'second']);
  expect(await acknowledgements.by({ uuid: first, account })).toEqual(new Map([[alert, at(-1)]]));
  expect((await acknowledgements.by({ uuid: second, account })).size).toBe(2);
  await server.db
    .updateTable('alerts_seen')
    .set({ time: at(0) })
    .where('guardian', '=', first)
    .execute();
  expect(await names()).toEqual(['second', 'first']);
  expect(await acknowledgements.of(account, [])).toEqual(new Map());
});

test('an invitation expires after exactly fourteen days, and texts go to a verified number that nobody switched off', () => {
  const guardian = { invited: at(0), accepted: null, declined: null, left_at: null };
  expect([stateOf(guardian, at(serverLimits.guardian_invitation - 1)), stateOf(guardian, at(serverLimits.guardian_invitation))]).toEqual([
    'pending',
    'expired',
  ]);
  expect([stateOf({ ...guardian, declined: at(0) }, at(0)), stateOf({ ...guardian, left_at: at(0), declined: at(0) }, at(0))]).toEqual([
    'declined',
    'left',
  ]);
  const phone = { sms: true, phone_number: '+12125550143', phone_number_verified: true };
  const variants = [phone, { ...phone, sms: false }, { ...phone, phone_number_verified: false }, { ...phone, phone_number: null }];
  expect(variants.map(phoneOf)).toEqual([phone.phone_number, null, null, null]);
  expect(variants.map((one) => textsOf(one, new Set()))).toEqual(['on', 'off', 'unverified', 'off']);
  expect(textsOf(phone, new Set([phone.phone_number]))).toBe('off');
  expect(maskedPhone(phone.phone_number)).toBe('••••43');
});
