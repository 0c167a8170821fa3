import { randomBytes, randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';
import { deleteOld } from './delete-old.ts';
import { deletionRules } from './retention.ts';
import type { Tables } from './tables.ts';

type Row = Record<string, unknown>;

let server: TestServer;
let account = '';
let device = '';
const accounts: string[] = [];
const guardians: string[] = [];
beforeAll(async () => {
  server = await testServer();
  const [ann, bert] = [await person(server), await person(server)];
  ({ uuid: device } = await linkedDevice(server, ann.token));
  for (const name of ['Bob', 'Carol']) guardians.push((await activeGuardian(server, ann.token, name)).uuid);
  for (const { email } of [ann, bert]) {
    accounts.push((await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid);
  }
  account = accounts[0] ?? '';
  await server.app.worker.idle();
});
afterAll(() => server.close());

/** The clock of tests begins at this time. */
const now = '2026-11-21T14:05:00Z';
const ago = {
  months_13: '2025-10-21T14:05:00Z',
  days_400: '2025-10-17T14:05:00Z',
  days_90: '2026-08-23T14:05:00Z',
  days_40: '2026-10-12T14:05:00Z',
  days_30: '2026-10-22T14:05:00Z',
  days_7: '2026-11-14T14:05:00Z',
  hours_25: '2026-11-20T13:05:00Z',
  days_1: '2026-11-20T14:05:00Z',
};

/** The other columns of the first or second row with this time. */
type MakeRow = (time: Date, n: 0 | 1) => Row;
/** `oldest`: the newest time that is deleted. */
interface Case {
  what: string;
  table: keyof Tables;
  column: string;
  oldest: string;
  row: MakeRow;
}

const uuid = () => ({ uuid: randomUUID() });
const hash = () => randomBytes(32);
const alert = (time: Date): Row => ({
  ...{ ...uuid(), device, account, time, name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl', details: '' },
  ...{ blocked: true, certainty: 'likely' },
});
const incident = (opened: Date): Row => ({ ...uuid(), account, device, device_name: 'PC', opened, opener: 'started' });
const request = (): Row => ({ ...uuid(), account, call_mac: hash(), activities: '[]', rule: 'hour', cause: 'ask_first' });
const job = (time: Date, unique_key: string = randomUUID()): Row => ({
  ...{ id: randomUUID(), kind: 'mail', lane: 'mail_ordinary', payload: '{}', unique_key, run_at: time, created: time },
});
const delivery = (kind: string) => (): Row => ({
  ...{ key: randomUUID(), account, kind, about: 'x', name: 'Ann', channel: 'mail', state: 'sent' },
});
const session = (time: Date): Row => ({ token_hash: hash(), ...uuid(), account, browser: 'Firefox', created: time });
const ofAnyDesk: Row = { identifier: 'anydesk', program: 'AnyDesk', money_pages: false };
const byAnn = (time: Date): Row => ({ person: account, name: 'Ann', time });
const code = (): Row => ({ phone_number: '+12025550143', code_hash: hash() });
const oneTimeCode = (number: number): Row => ({ device, purpose: 'pause', program: '', time_window: 1, number, guardian: guardians[0] });

const at = (oldest: string, ofAge: [what: string, table: keyof Tables, column: string, row: MakeRow][]): Case[] =>
  ofAge.map(([what, table, column, row]) => ({ what, table, column, oldest, row }));

const cases: Case[] = [
  ...at(ago.months_13, [
    ['an alert', 'detections', 'received', alert],
    ['an acknowledgement', 'alerts_seen', 'time', () => ({ account, alert: randomUUID(), guardian: guardians[0], name: 'Bob' })],
    ['an incident that somebody ended', 'incidents', 'last_opener', (time) => ({ ...incident(time), over: time })],
    ['a request of no incident', 'held_requests', 'time', request],
    [
      'an entry of the activity log',
      'activity_log',
      'received',
      (time) => ({ ...uuid(), account, kind: 'paused', time, notified: 'repeated' }),
    ],
    ['a practice alarm', 'fire_drills', 'time', () => ({ ...uuid(), account })],
    ['the job of an email about a payment', 'jobs', 'done_at', (time) => job(time, `plan:sub_${randomUUID()}:failed:in_1`)],
    ['the result of an alert’s message', 'deliveries', 'time', delivery('alert')],
    ['the result of an activity’s message', 'deliveries', 'time', delivery('act')],
    ['the result of a practice alarm’s message', 'deliveries', 'time', delivery('drill')],
  ]),
  ...at(ago.days_400, [
    ['a guardian’s session', 'guardian_sessions', 'created', () => ({ token_hash: hash(), guardian: guardians[0], key_version: 1 })],
  ]),
  ...at(ago.days_90, [
    ['the id of a device’s report', 'device_reports', 'time', () => ({ device, ...uuid() })],
    ['a changed name', 'renames', 'time', () => ({ kind: 'device', id: randomUUID(), account, before: 'Den PC', after: 'Office PC' })],
    ['a scan', 'scans', 'received', (time) => ({ ...uuid(), device, time, items: '[]' })],
    [
      'a call',
      'calls',
      'created',
      (time) => ({ ...uuid(), account, purpose: 'person', name: 'Ann', phone_number: '+12025550143', updated: time }),
    ],
    ['a known network', 'known_networks', 'used', () => ({ account, network_hash: hash() })],
    ['a session in use', 'sessions', 'created', () => ({ ...session(new Date(now)), last_used: new Date(now) })],
  ]),
  ...at(ago.days_40, [
    ['an event of a payment', 'payment_events', 'received', (time) => ({ id: `evt_${randomUUID()}`, type: 'x', created: time })],
  ]),
  ...at(ago.days_30, [
    ['a finished job', 'jobs', 'done_at', (time) => job(time)],
    ['a dead letter', 'jobs', 'failed_at', (time) => job(time)],
    ['the result of a scan’s message', 'deliveries', 'time', delivery('scan')],
    ['the result of an outage’s message', 'deliveries', 'time', delivery('outage')],
    ['the result of a weekly report', 'deliveries', 'time', delivery('weekly')],
    ['the result of an invitation', 'deliveries', 'time', delivery('invitation')],
    [
      'an email link',
      'email_links',
      'expires',
      (time) => ({ token_hash: hash(), account, purpose: 'reset', email: 'a@b.c', created: time }),
    ],
    ['an unused session', 'sessions', 'last_used', session],
  ]),
  ...at(ago.days_7, [
    ['an emergency stop', 'emergency_stops', 'until', (time) => ({ ...uuid(), account, kind: 'help', ...byAnn(time) })],
    ['a network isolation', 'network_isolations', 'until', (time) => ({ ...uuid(), account, device, may_end: true, ...byAnn(time) })],
    ['an appointment', 'appointments', 'until', (time) => ({ ...uuid(), account, device, ...ofAnyDesk, ...byAnn(time) })],
  ]),
  ...at(ago.hours_25, [['a device’s network', 'device_networks', 'seen', () => ({ device, network_hash: hash() })]]),
  ...at(ago.days_1, [
    ['a one-time code', 'one_time_codes', 'time', (_time, n) => oneTimeCode(n)],
    ['a code to a phone', 'phone_codes', 'expires', (_time, n) => ({ account: accounts[n], ...code() })],
    ['a code to a guardian’s phone', 'guardian_phone_codes', 'expires', (_time, n) => ({ guardian: guardians[n], ...code() })],
  ]),
  ...at(now, [
    ['a code to answer with', 'answer_codes', 'expires', () => ({ person: randomUUID(), ...code() })],
    ['an answered question for a passkey', 'used_passkey_questions', 'ends', () => ({ question_hash: hash() })],
    ['a used set-up of an authenticator app', 'used_authenticator_setups', 'ends', () => ({ setup: randomUUID() })],
    ['an answer about a start', 'start_answers', 'until', (_time, n) => ({ device, identifier: `command-${n}`, answer: 'yes' })],
    ['a count of attempts', 'rate_counts', 'ends', () => ({ key: randomUUID(), count: 1 })],
    ['a caller of unknown codes', 'code_callers', 'ends', () => ({ caller: randomUUID() })],
  ]),
];

async function insert(table: keyof Tables, row: Row): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(server.db);
}

/** The times of the rows that exist, of these. */
async function existing({ table, column }: Case, times: Date[]): Promise<string[]> {
  const { rows } = await sql<{ time: Date }>`select ${sql.ref(column)} as time from ${sql.table(table)}
    where ${sql.ref(column)} in (${sql.join(times)}) order by 1`.execute(server.db);
  return rows.map(({ time }) => time.toISOString());
}

test.each(cases)('[P14.4] $what in $table is deleted at its age, and a younger one is not', async (one) => {
  const old = new Date(one.oldest);
  const younger = new Date(old.getTime() + hour);
  // Rows of earlier tests.
  await sql`delete from ${sql.table(one.table)} where ${sql.ref(one.column)} in (${old}, ${younger})`.execute(server.db);
  await insert(one.table, { ...one.row(old, 0), [one.column]: old });
  await insert(one.table, { ...one.row(younger, 1), [one.column]: younger });
  const before = new Date(server.clock.now().getTime() - 1);
  await deleteOld(server.db, before, { budget_ms: 60_000 });
  expect(await existing(one, [old, younger])).toEqual([old.toISOString(), younger.toISOString()]);
  await deleteOld(server.db, server.clock.now(), { budget_ms: 60_000 });
  expect(await existing(one, [old, younger])).toEqual([younger.toISOString()]);
});

test('[P14.4] the budget of a day is deleted after 30 days, and that of the day after is not', async () => {
  for (const day of ['2026-10-22', '2026-10-23']) await insert('budgets', { name: 'codes', day, spent: 1 });
  await deleteOld(server.db, server.clock.now(), { budget_ms: 60_000 });
  expect((await server.db.selectFrom('budgets').select('day').where('day', '<', '2026-11').execute()).map(({ day }) => day)).toEqual([
    '2026-10-23',
  ]);
});

test('each rule of the list has a row here that is deleted', () => {
  expect(cases.length + 1).toBe(deletionRules.length);
});
