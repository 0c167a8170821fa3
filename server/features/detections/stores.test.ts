import { randomUUID } from 'node:crypto';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '../../db/open.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { answerStore } from './answer-store.ts';
import { detectionStore, type NewDetection } from './store.ts';

/** Alerts beside those of a second device and of a neighbour, at equal times, and at the exact end of a period. */

let server: TestServer;
let detections: ReturnType<typeof detectionStore>;
let answers: ReturnType<typeof answerStore>;
let [account, neighbour, low, high, theirs] = ['', '', '', '', ''];
beforeAll(async () => {
  server = await testServer();
  detections = detectionStore(server.db, server.clock);
  answers = answerStore(server.db, server.clock);
  const household = async () => {
    const { token, email } = await person(server);
    const row = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
    return { token, uuid: row.uuid };
  };
  const [ours, others] = [await household(), await household()];
  [account, neighbour] = [ours.uuid, others.uuid];
  const pair = [(await linkedDevice(server, ours.token)).uuid, (await linkedDevice(server, ours.token, 'Attic PC')).uuid];
  [low = '', high = ''] = pair.toSorted();
  theirs = (await linkedDevice(server, others.token)).uuid;
});
beforeEach(async () => {
  for (const table of ['detections', 'alert_answers', 'wrong_alerts'] as const) await server.db.deleteFrom(table).execute();
});
afterAll(() => server.close());

const grouping = serverLimits.alert_grouping;
const at = (ms: number) => new Date(server.clock.now().getTime() + ms);
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => server.db.transaction().execute(work);
async function store(device: string, overrides: Partial<NewDetection> = {}): Promise<string> {
  const detection: NewDetection = {
    ...{ uuid: randomUUID(), time: at(0), name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl', details: '' },
    ...{ blocked: true, certainty: 'certain', why: '', start: 'person', counted_into: null, ...overrides },
  };
  await inTrx((trx) => detections.insert(trx, { uuid: device, account: device === theirs ? neighbour : account }, [detection]));
  return detection.uuid;
}
const ids = (rows: { uuid: string }[]) => rows.map(({ uuid }) => uuid);

test('alerts of the same moment have one order on all pages, and each page its own alerts', async () => {
  const older = await store(low, { time: at(-1) });
  const sameMoment: string[] = [];
  for (let n = 0; n < 8; n++) sameMoment.push(await store(n % 2 ? low : high));
  await store(theirs);
  const list = async (offset: number, length: number, device?: string) => ids(await detections.list(account, { offset, length, device }));
  const expected = [...sameMoment.toSorted(), older];
  expect(await list(0, 100)).toEqual(expected);
  expect([await list(0, 3), await list(3, 3), await list(6, 3)].flat()).toEqual(expected);
  expect(await list(0, 100, high)).toEqual(sameMoment.filter((_, n) => n % 2 === 0).toSorted());
});

test('an alert counts the repeats of its own device, and says when the last one was', async () => {
  const alert = await store(low, { time: at(-3 * minute) });
  await store(low, { counted_into: alert, time: at(-2 * minute) });
  await store(low, { counted_into: alert, time: at(-minute) });
  // The other device uses the same id.
  await store(high, { uuid: alert, time: at(-4 * minute) });
  await store(high, { counted_into: alert });
  expect(await detections.get(account, alert)).toMatchObject({ uuid: alert, device: low, repeats: '2', last_repeat: at(-minute) });
  expect(await detections.get(neighbour, alert)).toBeUndefined();
});

test('an id that two devices use leads to the alert that it opened, else to that of the first device', async () => {
  const shared = randomUUID();
  const other = await store(low, { time: at(minute) });
  await store(low, { uuid: shared, counted_into: other, time: at(minute) });
  await store(high, { uuid: shared });
  expect(await detections.get(account, shared)).toMatchObject({ uuid: shared, device: high });
  const both = randomUUID();
  await store(high, { uuid: both, time: at(minute) });
  await store(low, { uuid: both });
  expect(await detections.get(account, both)).toMatchObject({ uuid: both, device: low });
});

test('the newest unblocked alert counts until exactly the asked moment, with its repeats, and only of this account', async () => {
  const newest = async (since: number) => (await detections.newestUnblocked(account, at(since)))?.uuid;
  await store(theirs, { blocked: false });
  await store(low);
  const first = await store(low, { blocked: false, time: at(-5 * minute) });
  expect([await newest(-5 * minute - 1), await newest(-5 * minute)]).toEqual([first, undefined]);
  await store(high, { uuid: first, time: at(-5 * minute) });
  await store(high, { counted_into: first, time: at(-minute) });
  expect(await newest(-5 * minute)).toBeUndefined();
  await store(low, { counted_into: first, time: at(-2 * minute) });
  expect([await newest(-2 * minute - 1), await newest(-2 * minute)]).toEqual([first, undefined]);
  const second = await store(high, { blocked: false, time: at(-4 * minute) });
  expect(await newest(-6 * minute)).toBe(second);
});

test('alerts of a report are those of its device and its detections, received after the asked moment', async () => {
  const alert = await store(low);
  const repeat = await store(low, { counted_into: alert });
  const [others, foreign] = [await store(low), await store(high)];
  const of = async (since: number) =>
    (await detections.alertsOf(low, [alert, repeat, foreign], at(since))).map((row) => [row.uuid, row.alert]);
  expect(new Map((await of(-1)) as [string, string][])).toEqual(
    new Map([
      [alert, alert],
      [repeat, alert],
    ]),
  );
  expect(await of(0)).toEqual([]);
  expect(await inTrx((trx) => detections.storedOf(trx, low, [alert, foreign]))).toEqual(new Set([alert]));
  expect(others).not.toBe(alert);
});

test('a detection is counted into open alerts of its definition and device, less than ten minutes away and not answered', async () => {
  const open = async () => ids(await inTrx((trx) => detections.openAlerts(trx, low, ['anydesk'], at(0), at(minute)))).toSorted();
  const near = [await store(low, { time: at(1 - grouping) }), await store(low, { time: at(minute + grouping - 1) })];
  await store(low, { time: at(-grouping) });
  await store(low, { time: at(minute + grouping) });
  await store(low, { identifier: 'teamviewer' });
  await store(high);
  await store(low, { counted_into: near[0] ?? null });
  expect(await open()).toEqual(near.toSorted());
  // The same ids at a neighbour's leave these alerts open.
  const neighbourly = { account: neighbour, person: neighbour, name: 'Bob' };
  await answers.add(server.db, neighbourly, { device: theirs, uuid: near[0] ?? '' }, 'mine');
  expect(await open()).toEqual(near.toSorted());
  await answers.add(server.db, { account, person: account, name: 'Ann' }, { device: low, uuid: near[0] ?? '' }, 'mine');
  expect(await open()).toEqual([near[1]]);
});

test('the alert of a name is the newest one of its device from the period', async () => {
  const named = (since = -minute, until = 0) => inTrx((trx) => detections.alertNamed(trx, low, 'AnyDesk', at(since), at(until)));
  const [older, newer] = [await store(low, { time: at(-2) }), await store(low, { time: at(-1) })];
  await store(low, { time: at(0), counted_into: newer });
  await store(low, { time: at(0), name: 'TeamViewer' });
  await store(high, { time: at(0) });
  expect([await named(), await named(-minute, -1), await named(-minute, -2), await named(-1), await named(-2, -1)]).toEqual([
    newer,
    newer,
    older,
    undefined,
    newer,
  ]);
});

test('answers are stored once, for one alert, and shown newest first with the reader’s own', async () => {
  const [alert, otherAlert] = [await store(low), await store(high)];
  const [bob, cleo] = [randomUUID(), randomUUID()].toSorted() as [string, string];
  const add = (who: string, name: string, answer: 'mine' | 'sorted', uuid = alert) =>
    answers.add(server.db, { account, person: who, name }, { device: low, uuid }, answer);
  await add(account, 'Ann', 'mine', otherAlert);
  server.clock.turn(1);
  await add(cleo, 'Cleo Example', 'sorted');
  await add(bob, 'Bob Example', 'sorted');
  await add(bob, 'Bob Example', 'mine');
  server.clock.turn(1);
  await add(account, 'Ann', 'mine');
  await add(account, 'Renamed', 'mine');
  await answers.add(server.db, { account, person: bob, name: 'Bob' }, { device: randomUUID(), uuid: alert }, 'mine');
  expect(await server.db.selectFrom('alert_answers').select('device').execute()).toHaveLength(5);
  const of = async (whose: string) => (await answers.of(whose, [alert], cleo, (name) => name.split(' ')[0] ?? '')).get(alert);
  expect((await of(account))?.map(({ answer, by, you }) => [answer, by, you])).toEqual([
    ['mine', 'Ann', false],
    ['mine', 'Bob', false],
    ['sorted', 'Bob', false],
    ['sorted', 'Cleo Example', true],
  ]);
  expect(await of(neighbour)).toEqual([]);
  expect(await answers.of(account, [], cleo)).toEqual(new Map());
});

test('an alert is reported as wrong once, and other alerts and accounts do not count', async () => {
  const [alert, otherAlert] = [await store(low), await store(high)];
  const add = (uuid: string, device = low) => inTrx((trx) => answers.addWrong(trx, account, { device, uuid }));
  expect([await add(alert), await add(alert), await add(randomUUID(), randomUUID())]).toEqual([true, false, false]);
  expect(await server.db.selectFrom('wrong_alerts').select(['alert', 'device']).execute()).toEqual([{ alert, device: low }]);
  await add(otherAlert, high);
  expect(await answers.wrongOf(account, [alert])).toEqual(new Set([alert]));
  expect([await answers.wrongOf(neighbour, [alert]), await answers.wrongOf(account, [])]).toEqual([new Set(), new Set()]);
});
