import { randomBytes, randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { activeGuardian, detection, linkedDevice, person, type TestServer } from './world.ts';

type AnyRow = Record<string, unknown>;

/** An account with a plan, a device, a guardian and an open incident. */
export async function incidentAccount(server: TestServer, name: string, phone_number: string) {
  const { token, email } = await person(server, `${name} Example`);
  const device = await linkedDevice(server, token, `${name}’s PC`);
  server.clock.turn(25 * hour);
  const guardian = await activeGuardian(server, token, `${name}’s guardian`);
  const body = { detections: [detection(server)] };
  await server.call('POST /agent/detections', { token: device.agent, body });
  await server.app.worker.idle();
  const { uuid: account } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const { uuid: incident } = await server.db
    .selectFrom('incidents')
    .select('uuid')
    .where('account', '=', account)
    .executeTakeFirstOrThrow();
  await server.db.updateTable('accounts').set({ phone_number, phone_number_verified: true }).where('uuid', '=', account).execute();
  return { account, email, phone_number, device: device.uuid, guardian: guardian.uuid, incident, guardian_email: guardian.email };
}

/** Adds rows to every table that can have rows of an account. */
export async function fillTables(server: TestServer, ids: Ids): Promise<void> {
  const customer = await customerOf(server, ids.account);
  for (const [table, row] of rowsFor(ids, customer, server.clock.now())) await insert(server, table, row);
}

async function customerOf({ db }: TestServer, account: string): Promise<string> {
  return (await db.selectFrom('customers').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id;
}

async function insert({ db }: TestServer, table: keyof Tables, row: AnyRow): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))}) on conflict do nothing`.execute(db);
}

interface Ids {
  account: string;
  email: string;
  phone_number: string;
  device: string;
  guardian: string;
  incident: string;
}

/** One row for each table that no call above has filled. */
function rowsFor({ account, email, phone_number, device, guardian, incident }: Ids, customer: string, now: Date): [keyof Tables, AnyRow][] {
  const time = now;
  const until = new Date(now.getTime() + hour);
  const [request, token] = [randomUUID(), () => randomBytes(32)];
  const person = { person: account, name: 'Ann', time };
  const code = { phone_number, code_hash: token(), expires: until };
  const job = { payload: JSON.stringify({ device }), run_at: until, created: now, lane: 'other' };
  return [
    ['jobs', { id: randomUUID(), kind: 'stopped_check', unique_key: `stopped:${device}`, ...job }],
    ['rate_counts', { key: `current-password:${account}`, count: 3, ends: until }],
    ['free_downloads', { email, agreed: time }],
    ['phone_opt_outs', { phone_number, since: time }],
    ['answer_codes', { person: guardian, ...code }],
    ['alert_answers', { account, device, alert: randomUUID(), answer: 'mine', ...person }],
    ['wrong_alerts', { account, device, alert: randomUUID(), time }],
    ['alerts_seen', { account, alert: randomUUID(), guardian, name: 'Bob', time }],
    ['scans', { uuid: randomUUID(), device, time, received: time, items: '[]' }],
    ['allow_list', { id: randomUUID(), device, type: 'domain', identifier: 'x.example', added: time }],
    ['device_codes', { code: token().toString('hex').slice(0, 12), device, nonce: 'n', created: time, expires: until, used: time }],
    ['device_pins', { device, sealed_pin: 'sealed-text-of-a-pin', hash: '{}' }],
    ['device_use', { device, connected_ms: 5, last: time }],
    ['device_reports', { device, uuid: randomUUID(), time }],
    ['device_outages', { device, kind: 'vanished', since: time }],
    ['device_watch', { device, due: until, says_sleep: false }],
    ['device_networks', { device, network_hash: token(), seen: time }],
    ['offline_spells', { device, ended: time }],
    ['code_secrets', { device, id: randomUUID(), sealed_secret: 'sealed-text-of-codes' }],
    ['one_time_codes', { device, purpose: 'pause', program: '', time_window: 1, number: 1, guardian, time }],
    ['call_consents', { device, phone_number, asked: time }],
    [
      'calls',
      { uuid: randomUUID(), account, purpose: 'person', incident, device, name: 'Ann', phone_number, created: time, updated: time },
    ],
    [
      'held_requests',
      { uuid: request, account, incident, device, call_mac: token(), activities: '[]', time, rule: 'hour', cause: 'incident' },
    ],
    ['request_answers', { request, answer: 'no', ...person }],
    ['escalations', { incident, number: 9, opener: 'detection', begun: time }],
    ['escalation_steps', { incident, number: 9, step: 'again', time }],
    ['incident_events', { incident, kind: 'on_it', ...person }],
    ['incident_steps', { incident, step: 'bank', ...person }],
    ['emergency_stops', { uuid: randomUUID(), account, device, kind: 'help', until, ...person }],
    ['network_isolations', { uuid: randomUUID(), account, device, until, may_end: true, ...person }],
    [
      'appointments',
      { uuid: randomUUID(), account, device, identifier: 'anydesk', program: 'AnyDesk', until, money_pages: false, ...person },
    ],
    ['guardian_phone_codes', { guardian, ...code }],
    ['guardian_visits', { guardian, time }],
    [
      'push_subscriptions',
      {
        ...{ person: guardian, endpoint_hash: token(), account, guardian, session: randomUUID(), service: 's' },
        ...{ sealed_subscription: 'sealed-text-of-a-browser', created: time },
      },
    ],
    ['renames', { kind: 'device', id: device, account, before: 'Den PC', after: 'Office PC', time }],
    ['custom_policies', { uuid: randomUUID(), account, name: 'Own', actions: '{}', created: time }],
    ['activity_log', { uuid: randomUUID(), account, kind: 'paused', device, time, received: time, notified: 'repeated' }],
    ['fire_drills', { uuid: randomUUID(), account, time }],
    ['alert_settings', { account, notify_after_days: 3, weekly: true, mail: true, sms: true }],
    ['browsing_protection', { account, browsers: true, resolver: 'network', notification_origins: '{https://mail.example}' }],
    ['alert_settings', { account, notify_after_days: 3, weekly: true, every_week: false, mail: true, sms: true }],
    ['browsing_protection', { account, browsers: true, resolver: 'network' }],
    [
      'unlisted_protection',
      {
        ...{ account, pasted_commands: true, new_programs: 'incident', doors: true, money_pages: true },
        ...{ money_sites: '{bank.example}', money_open: '{}' },
      },
    ],
    ['start_answers', { device, identifier: 'money-pages', answer: 'yes', until }],
    ['hold_settings', { account }],
    [
      'passkeys',
      {
        ...{ uuid: randomUUID(), account, credential_id: token(), public_key: token(), counter: 0, name: 'Chrome on Windows' },
        created: time,
      },
    ],
    [
      'authenticators',
      { account, sealed_secret: 'sealed-text-of-an-app', created: time, last_step: 1, former_secret: 'sealed-text-of-a-former-app' },
    ],
    ['recovery_codes', { account, code_hash: token(), created: time }],
    ['account_deletions', { account, asked: time, deletes: new Date(now.getTime() + 7 * 24 * hour) }],
    ['support_details', { account, phone: '555 0100', exclusive: false }],
    ['known_networks', { account, network_hash: token(), used: time }],
    ['phone_codes', { account, ...code }],
    ['payment_doubts', { account, since: time }],
    ['payment_events', { id: `evt_${randomUUID()}`, type: 'x', customer, created: time, received: time }],
  ];
}
