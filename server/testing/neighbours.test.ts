import { randomUUID } from 'node:crypto';
import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import type { PushSubscriptionBody } from '@porchlight/contract/push.ts';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { after } from '../lib/clock.ts';
import { agentInfo as info } from './agent-info.ts';
import { authenticatorApp, beginApp } from './authenticator-app.ts';
import { everyRow, type RowText } from './every-row.ts';
import { addedPasskey, passkeyDevice } from './passkey-device.ts';
import { simulatorTables } from './simulator-tables.ts';
import { validBodies } from './valid-bodies.ts';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  guardianSession,
  linkedDevice,
  linkIn,
  newcomer,
  person,
  type TestServer,
  testServer,
} from './world.ts';

/**
 * Each writing call is made on an object of Ann's that has a neighbour of the same kind, while Eve's account has objects of all kinds; the
 * rows of the neighbours must not change. This finds a statement without its `where`.
 */

type Key = keyof typeof api;
interface Call {
  path?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: object;
  beside?: string[];
  /** The object of the call, where its row names another one. */
  target?: string;
}
interface Actor {
  token: string;
  email: string;
}

let server: TestServer;
let ann: Actor & { uuid: string };
/** Ids of objects that must not change. */
let neighbours: string[];
let annsPolicy: string;
/** One browser may belong to several people. */
let sharedBrowser: PushSubscriptionBody;
/** From the beginning: otherwise a row deleted by an earlier call would go unnoticed. */
let initialRows: string[];

const newAddress = () => ({ 'x-forwarded-for': fakeAddress() });
const actions = { RemoteControl: 'alert', DeceptiveUtility: 'block', ScamWebsite: 'block' };

async function created(key: string, token: string, body: object): Promise<string> {
  const { body: answer } = await server.call(key, { token, body });
  return String(answer.uuid ?? answer.id);
}

/** Stores that the guardian accepted long ago, so that they may answer (P10.2). */
const provenLong = (uuid: string) =>
  server.db
    .updateTable('guardians')
    .set({ accepted: new Date('2026-11-01T12:00:00Z') })
    .where('uuid', '=', uuid)
    .execute();

/** Creates an object of each kind, and returns the ids. */
async function household({ token }: Actor, guardian: string): Promise<string[]> {
  const policy = await created('POST /web/policies', token, { name: 'Kept', actions });
  const { uuid, agent } = await linkedDevice(server, token, 'Kept PC', policy);
  const pendingDevice = await created('POST /web/create-device', token, { name: 'Kept and pending', policy: null });
  const exception = await created(`POST /web/devices/${uuid}/v2/exceptions`, token, { type: 'definition', identifier: 'anydesk' });
  const reported = detection(server);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
  const bob = await activeGuardian(server, token, 'Kept Guardian', guardian);
  await server.call(`POST /guardian/${bob.uuid}/alerts/${reported.uuid}/seen`, { headers: bob.session });
  await server.call(`POST /guardian/${bob.uuid}/alerts/${reported.uuid}/answer`, { headers: bob.session, body: { answer: 'sorted' } });
  await server.call(`POST /web/detections/${reported.uuid}/answer`, { token, body: { answer: 'mine' } });
  await server.call(`POST /web/detections/${reported.uuid}/wrong`, { token });
  // He has been a guardian for long.
  await server.db
    .updateTable('guardians')
    .set({ accepted: new Date('2026-11-01T12:00:00Z') })
    .where('uuid', '=', bob.uuid)
    .execute();
  await server.call(`POST /guardian/${bob.uuid}/codes`, { headers: bob.session, body: { device: uuid, purpose: 'pause' } });
  // The cleanup, which has its own test, would delete it meanwhile.
  await server.db
    .updateTable('one_time_codes')
    .set({ time: new Date('2099-01-01T12:00:00Z') })
    .execute();
  await addedPasskey(server, token, passkeyDevice(), 'Kept passkey');
  await server.call('POST /web/push', { token, body: sharedBrowser });
  await server.call(`POST /guardian/${bob.uuid}/push`, { headers: bob.session, body: sharedBrowser });
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body: { phone_number: '+12025550150' } });
  await server.call(`POST /guardian/${bob.uuid}/send-phone-code`, { headers: bob.session });
  const invitedGuardian = await created('POST /web/create-guardian', token, { name: 'Kept and invited', email: `invited-${guardian}` });
  return [policy, uuid, pendingDevice, exception, reported.uuid, bob.uuid, invitedGuardian];
}

const accountOf = async ({ email }: { email: string }) =>
  (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;

beforeAll(async () => {
  server = await testServer();
  sharedBrowser = await server.pushes.subscribe('A shared browser');
  const holder = await person(server, 'Ann Example');
  ann = { ...holder, uuid: await accountOf(holder) };
  const eve = await person(server, 'Eve Other');
  await server.call('PATCH /web/profile', { token: eve.token, body: { phone_number: '+12025550151', current_password: goodPassword } });
  await server.call('PATCH /web/profile', {
    token: eve.token,
    body: { email: `moving-${eve.email}`, current_password: goodPassword },
  });
  await server.call('PATCH /web/alert-settings', { token: eve.token, body: { notify_after_days: 7 } });
  await server.call('PATCH /web/browsing-protection', { token: eve.token, body: { resolver: 'quad9' } });
  await authenticatorApp(server, eve.token);
  const annsIds = await household(ann, 'kept-ann@example.net');
  await endIncidents();
  neighbours = [...annsIds, ...(await household(eve, 'kept-eve@example.net')), await accountOf(eve)];
  annsPolicy = await created('POST /web/policies', ann.token, { name: 'Target', actions });
  await server.app.worker.idle();
  // Codes that were not used are deleted a day after their end, and these tests take weeks.
  for (const table of ['phone_codes', 'guardian_phone_codes', 'answer_codes'] as const) {
    await server.db
      .updateTable(table)
      .set({ expires: after(server.clock.now(), 365 * day) })
      .execute();
  }
  initialRows = await rowsOf(neighbours, null);
});
afterAll(() => server.close());

/** Columns that may change: counters, and times of last use. */
const changingColumns = ['policy_version', 'last_used', 'asked', 'written', 'polled'];
/** Tables that calls about one object of the account must not change. */
const ofAccount = [
  'accounts',
  'sessions',
  'alert_settings',
  'browsing_protection',
  'customers',
  'subscriptions',
  'checkouts',
  'phone_codes',
  'email_links',
];
/** Tables of jobs and counters, which other tests check, and the files of the definitions, which name nobody. */
const ignoredTables = ['jobs', 'rate_counts', 'server_uptime', 'feed_parts', ...simulatorTables];

/** `account`: include the rows of this account. */
async function rowsOf(ids: string[], account: string | null): Promise<string[]> {
  const rows = await everyRow(server, { without: ignoredTables, leftOut: changingColumns });
  const isTheirs = ({ name, row }: RowText) =>
    ids.some((id) => row.includes(id)) || (account !== null && ofAccount.includes(name) && row.includes(account));
  return rows.filter(isTheirs).map(({ name, row }) => `${name} ${row}`);
}

/** So that no call waits for a yes: neither in an incident, nor as the second change within an hour. */
async function endIncidents() {
  server.clock.turn(3_600_000);
  await server.db
    .updateTable('incidents')
    .set({ over: server.clock.now() })
    .where('over', 'is', null)
    .where('device', 'not in', neighbours?.length ? neighbours : [randomUUID()])
    .execute();
}

let guardianCount = 0;
const guardianOf = async (actor: Actor) => {
  // Invitations have a daily limit.
  if (guardianCount++ % 6 === 5) server.clock.turn(day + 1);
  return activeGuardian(server, actor.token, 'Bob', `bob-${guardianCount}@example.net`);
};
const invite = async (actor: Actor) => {
  if (guardianCount++ % 6 === 5) server.clock.turn(day + 1);
  const email = `bob-${guardianCount}@example.net`;
  const uuid = await created('POST /web/create-guardian', actor.token, { name: 'Bob', email });
  return { uuid, session: await guardianSession(server, uuid, email) };
};
const mailedTo = async (email: string, marker: string) => linkIn((await server.mailsTo(email))[0], marker);
const textedTo = async (number: string) => /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0];
const by = (key: Key) => async (actor: Actor) => ({ token: actor.token, ...(validBodies[key] ? { body: validBodies[key] } : {}) });
const withApp = (key: Key) => async (actor: Actor) => {
  await authenticatorApp(server, actor.token);
  return by(key)(actor);
};
const onDevice = (key: Key) => async (actor: Actor) => {
  const { uuid } = await linkedDevice(server, actor.token, 'Target PC');
  const body = validBodies[key];
  return { path: key.replace(/:\w+/, uuid), token: actor.token, ...(body ? { body } : {}) };
};
/** A device whose user could agree to be called. */
const onMumsDevice = (key: Key) => async (actor: Actor) => {
  const person = { name: 'Mum', phone_number: '+12025550154', is_holder: false };
  const uuid = await created('POST /web/create-device', actor.token, { name: 'Target PC', policy: null, person });
  return { path: key.replace(':id', uuid), token: actor.token };
};
const byAgent = (key: Key) => async (actor: Actor) => ({
  token: (await linkedDevice(server, actor.token, 'Target PC')).agent,
  body: validBodies[key] ?? {},
});
const byGuardian = (key: Key) => async (actor: Actor) => {
  const { uuid, session } = await guardianOf(actor);
  const body = validBodies[key];
  return { path: key.replace(':id', uuid), headers: session, ...(body ? { body } : {}) };
};

const reportedTo = async (token: string) => {
  const { agent } = await linkedDevice(server, token, 'Target PC');
  const reported = detection(server);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
  return reported.uuid;
};
const onAlert = (key: Key) => async (actor: Actor) => {
  const path = key.replace(':uuid', await reportedTo(actor.token));
  return { path, token: actor.token, ...(validBodies[key] ? { body: validBodies[key] } : {}) };
};
const onAlertByGuardian = (key: Key) => async (actor: Actor) => {
  const { uuid, session } = await guardianOf(actor);
  const alert = await reportedTo(actor.token);
  const path = key.replace(':id', uuid).replace(':uuid', alert);
  return { path, headers: session, ...(validBodies[key] ? { body: validBodies[key] } : {}) };
};

/** The incident of a new device, about which people were asked how it went. */
const incidentOf = async (token: string) => {
  await reportedTo(token);
  const { items } = (await server.call('GET /web/incidents', { token })).body;
  const { uuid } = (items as unknown as { uuid: string; state: string }[]).find(({ state }) => state === 'open') ?? { uuid: '' };
  server.clock.turn(day);
  await server.app.worker.idle();
  return uuid;
};
const onIncident =
  (key: Key) =>
  async ({ token }: Actor) => {
    return { path: key.replace(':uuid', await incidentOf(token)), token, body: validBodies[key] ?? {} };
  };
const onIncidentByGuardian = (key: Key) => async (actor: Actor) => {
  const { uuid, session: headers } = await guardianOf(actor);
  const incident = await incidentOf(actor.token);
  return { path: key.replace(':id', uuid).replace(':uuid', incident), headers, body: validBodies[key] ?? {} };
};
/** A call that waits, because an incident is open. */
const heldRequest = async (key: Key, token: string, body?: object) =>
  String((await server.call(key, { token, ...(body ? { body } : {}) })).body.request);

/** Calls about an object of Ann's. */
const onObjects: Partial<Record<Key, (actor: Actor) => Promise<Call>>> = {
  'POST /web/devices/:uuid': onDevice('POST /web/devices/:uuid'),
  'DELETE /web/devices/:uuid': onDevice('DELETE /web/devices/:uuid'),
  'POST /web/devices/:uuid/resume': onDevice('POST /web/devices/:uuid/resume'),
  'POST /web/devices/:id/call-consent': onMumsDevice('POST /web/devices/:id/call-consent'),
  'DELETE /web/devices/:id/call-consent': onMumsDevice('DELETE /web/devices/:id/call-consent'),
  'POST /web/create-device': by('POST /web/create-device'),
  'POST /web/devices/:uuid/code': async ({ token }) => {
    const uuid = await created('POST /web/create-device', token, { name: 'Target PC', policy: null });
    return { path: `POST /web/devices/${uuid}/code`, token };
  },
  'POST /web/devices/:id/v2/exceptions': onDevice('POST /web/devices/:id/v2/exceptions'),
  'DELETE /web/devices/:id/v2/exceptions': async ({ token }) => {
    const { uuid } = await linkedDevice(server, token, 'Target PC');
    const path = `/web/devices/${uuid}/v2/exceptions`;
    const [id, neighbour] = [
      await created(`POST ${path}`, token, { type: 'domain', identifier: 'target.example' }),
      await created(`POST ${path}`, token, { type: 'domain', identifier: 'kept.example' }),
    ];
    return { path: `DELETE ${path}`, token, body: { id }, beside: [neighbour] };
  },
  'POST /web/policies': by('POST /web/policies'),
  'PATCH /web/policies/:uuid': async ({ token }) => ({
    path: `PATCH /web/policies/${annsPolicy}`,
    token,
    body: { name: 'Quiet', actions: { ...actions, RemoteControl: 'ignore' } },
  }),
  'DELETE /web/policies/:uuid': async ({ token }) => ({ path: `DELETE /web/policies/${annsPolicy}`, token }),
  'POST /web/create-guardian': async ({ token }) => ({ token, body: { name: 'New', email: 'new-guardian@example.net' } }),
  'DELETE /web/guardians/:uuid': async (actor) => ({ path: `DELETE /web/guardians/${(await guardianOf(actor)).uuid}`, token: actor.token }),
  'PATCH /web/guardians/:uuid': async (actor) => ({
    path: `PATCH /web/guardians/${(await guardianOf(actor)).uuid}`,
    token: actor.token,
    body: { may_isolate: true },
  }),
  'POST /web/guardians/:uuid/resend': async (actor) => ({
    path: `POST /web/guardians/${(await invite(actor)).uuid}/resend`,
    token: actor.token,
  }),
  'POST /guardian/:id/session': async (actor) => {
    const { uuid, email } = await guardianOf(actor);
    return { path: `POST /guardian/${uuid}/session`, headers: newAddress(), body: { key: await mailedTo(email, `/guardian/${uuid}/`) } };
  },
  'POST /guardian/:id/accept': async (actor) => {
    const { uuid, session } = await invite(actor);
    return { path: `POST /guardian/${uuid}/accept`, headers: session };
  },
  'POST /guardian/:id/decline': async (actor) => {
    const { uuid, session } = await invite(actor);
    return { path: `POST /guardian/${uuid}/decline`, headers: session };
  },
  'DELETE /guardian/:id/sessions/:uuid': async (actor) => {
    const { uuid, email, session: headers } = await guardianOf(actor);
    for (let i = 0; i < 2; i++) await guardianSession(server, uuid, email);
    const { body } = await server.call(`GET /guardian/${uuid}/sessions`, { headers });
    const [target, neighbour] = (body.sessions as unknown as { uuid: string; current?: boolean }[]).filter(({ current }) => !current);
    return { path: `DELETE /guardian/${uuid}/sessions/${target?.uuid}`, headers, beside: [String(neighbour?.uuid)] };
  },
  'POST /guardian/:id/leave': byGuardian('POST /guardian/:id/leave'),
  'PATCH /guardian/:id': byGuardian('PATCH /guardian/:id'),
  'POST /guardian/:id/send-phone-code': async (actor) => {
    const { uuid, session: headers } = await guardianOf(actor);
    await server.call(`PATCH /guardian/${uuid}`, { headers, body: { phone_number: '+12025550152' } });
    return { path: `POST /guardian/${uuid}/send-phone-code`, headers };
  },
  'POST /guardian/:id/verify-phone': async (actor) => {
    const { uuid, session: headers } = await guardianOf(actor);
    await server.call(`PATCH /guardian/${uuid}`, { headers, body: { phone_number: '+12025550153' } });
    await server.call(`POST /guardian/${uuid}/send-phone-code`, { headers });
    return { path: `POST /guardian/${uuid}/verify-phone`, headers, body: { code: await textedTo('+12025550153') } };
  },
  'POST /guardian/:id/push': async (actor) => ({ ...(await byGuardian('POST /guardian/:id/push')(actor)), body: sharedBrowser }),
  'POST /guardian/:id/push/end': async (actor) => {
    const { uuid, session: headers } = await guardianOf(actor);
    await server.call(`POST /guardian/${uuid}/push`, { headers, body: sharedBrowser });
    return { path: `POST /guardian/${uuid}/push/end`, headers, body: { endpoint: sharedBrowser.endpoint } };
  },
  'POST /guardian/:id/devices/:uuid': async (actor) => {
    const { uuid, session: headers } = await guardianOf(actor);
    const { uuid: device } = (await server.call('POST /web/create-device', { token: actor.token, body: { name: 'New PC', policy: null } }))
      .body;
    return { path: `POST /guardian/${uuid}/devices/${String(device)}`, headers, body: validBodies['POST /guardian/:id/devices/:uuid'] };
  },
  'POST /guardian/:id/alerts/:uuid/seen': onAlertByGuardian('POST /guardian/:id/alerts/:uuid/seen'),
  'POST /guardian/:id/alerts/:uuid/answer': onAlertByGuardian('POST /guardian/:id/alerts/:uuid/answer'),
  'POST /web/detections/:uuid/answer': onAlert('POST /web/detections/:uuid/answer'),
  'POST /web/detections/:uuid/wrong': onAlert('POST /web/detections/:uuid/wrong'),
  'POST /web/incidents/:uuid': onIncident('POST /web/incidents/:uuid'),
  'POST /web/incidents/:uuid/steps': onIncident('POST /web/incidents/:uuid/steps'),
  'POST /web/incidents/:uuid/how': onIncident('POST /web/incidents/:uuid/how'),
  'POST /web/requests/:uuid': async ({ token }) => {
    await reportedTo(token);
    const [request, neighbour] = [
      await heldRequest('PATCH /web/browsing-protection', token, { browsers: false }),
      await heldRequest('POST /web/bypasspassword', token),
    ];
    return { path: `POST /web/requests/${request}`, token, body: { answer: 'no' }, beside: [neighbour], target: request };
  },
  'POST /guardian/:id/requests/:uuid': async (actor) => {
    const { uuid, session: headers } = await guardianOf(actor);
    await reportedTo(actor.token);
    const [request, neighbour] = [
      await heldRequest('PATCH /web/alert-settings', actor.token, { mail: false }),
      await heldRequest('GET /web/bypasspassword', actor.token),
    ];
    return { path: `POST /guardian/${uuid}/requests/${request}`, headers, body: { answer: 'no' }, beside: [neighbour], target: request };
  },
  'POST /guardian/:id/incidents/:uuid': onIncidentByGuardian('POST /guardian/:id/incidents/:uuid'),
  'POST /guardian/:id/incidents/:uuid/steps': onIncidentByGuardian('POST /guardian/:id/incidents/:uuid/steps'),
  'POST /guardian/:id/incidents/:uuid/how': onIncidentByGuardian('POST /guardian/:id/incidents/:uuid/how'),
  'POST /web/help': async ({ token }) => ({ token, body: { device: (await linkedDevice(server, token, 'Target PC')).uuid } }),
  'POST /guardian/:id/codes': async (actor) => {
    const { uuid, session: headers } = await guardianOf(actor);
    const { uuid: device } = await linkedDevice(server, actor.token, 'Target PC');
    await provenLong(uuid);
    return { path: `POST /guardian/${uuid}/codes`, headers, body: { device, purpose: 'pause' } };
  },
  'POST /agent/enrol': async ({ token }) => {
    const { body } = await server.call('POST /web/create-device', { token, body: { name: 'Target PC', policy: null } });
    return { headers: newAddress(), body: { code: body.login_code, info, enrol_id: randomUUID() } };
  },
  'POST /agent/changes': byAgent('POST /agent/changes'),
  'POST /agent/check-in': byAgent('POST /agent/check-in'),
  'POST /agent/goodbye': async (actor) => ({ ...(await byAgent('POST /agent/goodbye')(actor)), body: { reason: 'stopped' } }),
  'POST /agent/events': byAgent('POST /agent/events'),
  'POST /agent/pin': byAgent('POST /agent/pin'),
  'POST /agent/scan': byAgent('POST /agent/scan'),
  'POST /agent/detections': async (actor) => ({
    ...(await byAgent('POST /agent/detections')(actor)),
    body: { detections: [detection(server)] },
  }),
};

/** Made by a new user each, so that no data of Ann and Eve may change. */
const onAccounts: Partial<Record<Key, (actor: Actor) => Promise<Call>>> = {
  'POST /login/web': async ({ email }) => ({ headers: newAddress(), body: { email, password: goodPassword } }),
  'POST /register': async () => ({
    headers: newAddress(),
    body: { name: 'New', email: 'new-account@example.net', password: goodPassword },
  }),
  'POST /confirm-email': async () => {
    const body = { name: 'Fresh', email: 'fresh@example.net', password: goodPassword };
    await server.call('POST /register', { headers: newAddress(), body });
    return { headers: newAddress(), body: { token: await mailedTo(body.email, '/confirm-email/') } };
  },
  'POST /confirm-email-change': async ({ token, email }) => {
    await server.call('PATCH /web/profile', { token, body: { email: `to-${email}`, current_password: goodPassword } });
    return { headers: newAddress(), body: { token: await mailedTo(`to-${email}`, '/confirm-email-change/') } };
  },
  'POST /forgot-password': async ({ email }) => ({ headers: newAddress(), body: { email } }),
  'POST /reset-password': async ({ email }) => {
    await server.call('POST /forgot-password', { headers: newAddress(), body: { email } });
    const token = await mailedTo(email, '/reset-password/');
    return { headers: newAddress(), body: { token, password: 'another long phrase of hers' } };
  },
  'POST /web/verify-email': async () => {
    const body = { name: 'Waiting', email: 'waiting@example.net', password: goodPassword };
    await server.call('POST /register', { headers: newAddress(), body });
    const { body: login } = await server.call('POST /login/web', { headers: newAddress(), body });
    server.clock.turn(61_000);
    return { token: String(login.web_token) };
  },
  'POST /web/logout': by('POST /web/logout'),
  'POST /web/logout-everywhere': by('POST /web/logout-everywhere'),
  'PATCH /web/profile': async ({ token }) => ({
    token,
    body: { name: 'Renamed', phone_number: '+12025550154', current_password: goodPassword, password: 'another long phrase of hers' },
  }),
  'POST /web/send-phone-code': async ({ token }) => {
    await server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550155', current_password: goodPassword } });
    return { token };
  },
  'POST /web/verify-phonenumber': async ({ token }) => {
    await server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550156', current_password: goodPassword } });
    await server.call('POST /web/send-phone-code', { token });
    return { token, body: { code: await textedTo('+12025550156') } };
  },
  'POST /web/bypasspassword': by('POST /web/bypasspassword'),
  'DELETE /web/accounts/sessions/:uuid': async (actor) => {
    for (let i = 0; i < 2; i++)
      await server.call('POST /login/web', { headers: newAddress(), body: { email: actor.email, password: goodPassword } });
    const { body } = await server.call('GET /web/accounts/sessions', { token: actor.token });
    const [target, neighbour] = (body.sessions as unknown as { uuid: string; current?: boolean }[]).filter(({ current }) => !current);
    return { path: `DELETE /web/accounts/sessions/${target?.uuid}`, token: actor.token, beside: [String(neighbour?.uuid)] };
  },
  'POST /web/account/download': by('POST /web/account/download'),
  'POST /web/account/deletion': by('POST /web/account/deletion'),
  'POST /web/account/deletion/stop': async ({ token }) => {
    await server.call('POST /web/account/deletion', { token, body: { current_password: goodPassword } });
    return { token };
  },
  'POST /keep-account': async ({ token, email }) => {
    await server.call('POST /web/account/deletion', { token, body: { current_password: goodPassword } });
    return { headers: newAddress(), body: { token: await mailedTo(email, '/keep-account/') } };
  },
  'POST /remove-sign-in': async ({ token, email }) => {
    await authenticatorApp(server, token);
    return { headers: newAddress(), body: { token: await mailedTo(email, '/remove-sign-in/') } };
  },
  'POST /web/profile/sub/portal': by('POST /web/profile/sub/portal'),
  'POST /web/profile/sub/order': async () => {
    const { token } = await newcomer(server, 'Buys', 'buys@example.net');
    return { token, body: validBodies['POST /web/profile/sub/order'] ?? {} };
  },
  'PATCH /web/alert-settings': async ({ token }) => ({ token, body: { notify_after_days: 1, weekly: false } }),
  'POST /web/push': async ({ token }) => ({ token, body: sharedBrowser }),
  'POST /web/push/end': async ({ token }) => {
    await server.call('POST /web/push', { token, body: sharedBrowser });
    return { token, body: { endpoint: sharedBrowser.endpoint } };
  },
  'PATCH /web/unlisted-protection': by('PATCH /web/unlisted-protection'),
  'PATCH /web/browsing-protection': by('PATCH /web/browsing-protection'),
  'POST /web/fire-drill': by('POST /web/fire-drill'),
  'PUT /web/guardians/order': async ({ token }) => {
    await created('POST /web/create-guardian', token, { name: 'First', email: 'first-guardian@example.net' });
    const last = await created('POST /web/create-guardian', token, { name: 'Last', email: 'last-guardian@example.net' });
    return { token, body: { order: [last] } };
  },
  // It is about every device of the account.
  'POST /guardian/:id/stop': async (actor) => {
    const { uuid, session: headers } = await guardianOf(actor);
    const { uuid: device } = await linkedDevice(server, actor.token, 'Target PC');
    await server.call(`PATCH /web/guardians/${uuid}`, { token: actor.token, body: { may_isolate: true } });
    return { path: `POST /guardian/${uuid}/stop`, headers, body: { device, minutes_offline: 15 } };
  },
  'POST /web/reauthenticate': by('POST /web/reauthenticate'),
  'POST /web/passkeys/options': by('POST /web/passkeys/options'),
  'POST /web/passkeys': async ({ token }) => {
    const { body } = await server.call('POST /web/passkeys/options', { token, body: { current_password: goodPassword } });
    return { token, body: { passkey: passkeyDevice().create(body) } };
  },
  'POST /web/passkeys/:uuid/remove': async ({ token }) => {
    for (const name of ['Target', 'Beside']) await addedPasskey(server, token, passkeyDevice(), name);
    const { passkeys } = (await server.call('GET /web/sign-in-methods', { token })).body;
    const uuidOf = (name: string) => (passkeys as unknown as { uuid: string; name: string }[]).find((one) => one.name === name)?.uuid ?? '';
    return {
      path: `POST /web/passkeys/${uuidOf('Target')}/remove`,
      token,
      body: { current_password: goodPassword },
      beside: [uuidOf('Beside')],
    };
  },
  'POST /web/passkey-question': async ({ token }) => {
    await addedPasskey(server, token);
    return { token };
  },
  'POST /login/passkey': async ({ token }) => {
    const device = await addedPasskey(server, token);
    const { body } = await server.call('POST /login/passkey/options');
    return { headers: newAddress(), body: { passkey: device.answer(body) } };
  },
  'POST /web/authenticator/begin': by('POST /web/authenticator/begin'),
  'POST /web/authenticator': async ({ token }) => {
    const { setup, code } = await beginApp(server, token);
    return { token, body: { setup, code: code() } };
  },
  'POST /web/authenticator/remove': withApp('POST /web/authenticator/remove'),
  'POST /web/recovery-codes': withApp('POST /web/recovery-codes'),
  'PATCH /web/holding': by('PATCH /web/holding'),
};

const untestedCalls: Partial<Record<Key, string>> = {
  'POST /code': 'it only reads',
  'POST /remove-sign-in/details': 'it only reads',
  'POST /login/passkey/options': 'it neither reads nor writes',
  'POST /code/ask': 'it only sends a mail',
  'POST /agent/whose': 'it only reads',
  'POST /free-download': 'it adds an address and belongs to no account',
  'POST /guardian-link': 'it only sends a mail',
  'POST /web/answer-code': 'features/who-may-answer/answer-codes.test.ts has two people beside one another',
  'POST /guardian/:id/answer-code': 'features/who-may-answer/answer-codes.test.ts has two people beside one another',
  'POST /web/appointments': 'features/appointments/appointments.test.ts has another computer and a stranger beside it',
  'POST /web/appointments/:uuid/end': 'features/appointments/appointments.test.ts has another computer and a stranger beside it',
  'POST /guardian/:id/appointments': 'features/appointments/appointments.test.ts has another computer and a stranger beside it',
  'POST /guardian/:id/appointments/:uuid/end': 'features/appointments/appointments.test.ts has another computer and a stranger beside it',
  'POST /stripe/webhook': 'it takes what Stripe signed; features/subscriptions/sync.test.ts has two accounts beside one another',
  'POST /texts/inbound': 'it is about a telephone number, of whoever has it',
  'POST /calls/words': 'the telephone service alone signs it, and it is about one call',
  'POST /calls/key': 'the telephone service alone signs it, and it is about one call',
  'POST /calls/status': 'the telephone service alone signs it, and it is about one call',
  'POST /texts/status': 'it is about one delivery; notifications/sms.test.ts has two beside one another',
  'POST /unsubscribe/:token': 'notifications/unsubscribe.test.ts has those who still want mails beside it',
};

const writing = (Object.keys(api) as Key[]).filter((key) => !key.startsWith('GET '));

test('each writing call of the contract is tested in this file, or listed with the reason why not', () => {
  const listedCalls = [...Object.keys(onObjects), ...Object.keys(onAccounts), ...Object.keys(untestedCalls)];
  const missing = writing.filter((key) => !listedCalls.includes(key));
  expect(missing, 'Add these calls to `onObjects`, `onAccounts` or, with the reason, to `untestedCalls`').toEqual([]);
  expect(listedCalls.toSorted()).toEqual(writing.toSorted());
});

async function changesNothingBeside(key: Key, { path = key, beside = [], target, ...call }: Call, account: string | null) {
  await server.app.worker.idle();
  const ids = [...neighbours, ...beside];
  const before = await rowsOf(ids, account);
  const { status, body } = await server.call(path, call);
  // A one-time code is the answer of its call, and not an error.
  expect([status, status === 200 ? undefined : body.code]).toEqual([200, undefined]);
  await server.app.worker.idle();
  const after = new Set(await rowsOf(ids, account));
  const isTarget = (row: string) => target !== undefined && row.includes(target);
  expect([...new Set([...initialRows, ...before])].filter((row) => !after.has(row) && !isTarget(row))).toEqual([]);
}

describe('a call about an object changes no other object', () => {
  test.each(Object.entries(onObjects))('no other object changes by the call %s', async (key, prepare) => {
    await endIncidents();
    const call = await prepare(ann);
    await changesNothingBeside(key as Key, call, (api[key as Key] as Endpoint).access.startsWith('device') ? null : ann.uuid);
    // Ann's plan allows five devices and five guardians, so this test deletes those that it adds.
    for (const [list, name] of [
      ['devices', /^Kept/],
      ['guardians', /^Kept/],
    ] as const) {
      const { body } = await server.call(`GET /web/${list}`, { token: ann.token });
      for (const item of body[list] as unknown as { uuid: string; name: string }[])
        if (!name.test(item.name)) {
          await endIncidents();
          await server.call(`DELETE /web/${list}/${item.uuid}`, { token: ann.token });
        }
    }
  });
});

describe('a call about an account changes no other account', () => {
  test.each(Object.entries(onAccounts))('no other account changes by the call %s', async (key, prepare) => {
    const actor = await person(server, 'Carol Target');
    const call = await prepare(actor);
    await changesNothingBeside(key as Key, { ...call, beside: [ann.uuid, ...(call.beside ?? [])] }, null);
  });
});
