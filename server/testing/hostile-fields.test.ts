import { randomUUID } from 'node:crypto';
import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkInBody, agentInfo as info } from './agent-info.ts';
import { authenticatorApp, beginApp } from './authenticator-app.ts';
import { addedPasskey, passkeyDevice } from './passkey-device.ts';
import { allRows, namesOf, normalizeText } from './twin-rows.ts';
import { validBodies } from './valid-bodies.ts';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  guardsByCalls,
  linkedDevice,
  linkIn,
  newcomer,
  person,
  type TestServer,
  testServer,
} from './world.ts';

/**
 * Two servers get the same calls; one gets bodies with additional fields: columns of our tables, and privileges. Afterwards their rows must
 * be equal. The calls come from the contract, with bodies from `validBodies`, or from `prepare` if something must have happened before.
 */

type Key = keyof typeof api;
interface Ready {
  path?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: object;
}

const keys = (Object.keys(api) as Key[]).filter((key) => (api[key] as Endpoint).body);
let plainServer: TestServer;
let hostileServer: TestServer;
beforeAll(async () => {
  [plainServer, hostileServer] = await Promise.all([testServer(), testServer()]);
  for (const server of [plainServer, hostileServer])
    await linkedDevice(server, (await person(server, 'Vic Other', 'vic@example.org')).token);
});
afterAll(async () => {
  await plainServer.close();
  await hostileServer.close();
});

const mailedToken = async (server: TestServer, email: string, marker: string) => ({
  token: linkIn((await server.mailsTo(email))[0], marker),
});
const newDevice = async (server: TestServer, token: string) =>
  (await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body;

const reportDetection = async (server: TestServer, token: string) => {
  const { agent } = await linkedDevice(server, token);
  const detected = detection(server);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detected] } });
  return detected.uuid;
};

/** Opens an incident, about which people were asked how it went. */
const openedIncident = async (server: TestServer, token: string) => {
  await reportDetection(server, token);
  const { items } = (await server.call('GET /web/incidents', { token })).body;
  const uuid = String((items as unknown as { uuid: string }[])[0]?.uuid);
  // A turned clock would run the jobs of the night.
  await server.db.updateTable('incidents').set({ asked_how: server.clock.now() }).where('uuid', '=', uuid).execute();
  return uuid;
};
/** A call that waits because the account's incident is open. */
const heldRequest = async (server: TestServer, token: string) =>
  String((await server.call('PATCH /web/browsing-protection', { token, body: { browsers: false } })).body.request);

const onIncident =
  (key: Key, body: object) =>
  async (server: TestServer, { token }: { token: string }) => ({
    path: key.replace(':uuid', await openedIncident(server, token)),
    token,
    body,
  });
const onIncidentByGuardian =
  (key: Key, body: object) =>
  async (server: TestServer, { token, email }: { token: string; email: string }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    const incident = await openedIncident(server, token);
    return { path: key.replace(':id', uuid).replace(':uuid', incident), headers, body };
  };

const withApp =
  (key: Key) =>
  async (server: TestServer, { token }: { token: string }) => {
    await authenticatorApp(server, token);
    return { token, body: validBodies[key] ?? {} };
  };

async function removalToken(server: TestServer, { token, email }: { token: string; email: string }): Promise<Ready> {
  await authenticatorApp(server, token);
  return { body: await mailedToken(server, email, '/remove-sign-in/') };
}

/** The input of each call, after preparing what it needs. */
const prepare: Partial<Record<Key, (server: TestServer, holder: { token: string; email: string }) => Promise<Ready>>> = {
  'POST /login/web': async (_, { email }) => ({ body: { email, password: goodPassword } }),
  'POST /register': async (_, { email }) => ({ body: { name: 'New', email: `new-${email}`, password: goodPassword } }),
  'POST /confirm-email': async (server, { email }) => {
    const newEmail = `fresh-${email}`;
    await server.call('POST /register', { body: { name: 'Fresh', email: newEmail, password: goodPassword }, headers: newAddress() });
    return { body: await mailedToken(server, newEmail, '/confirm-email/') };
  },
  'POST /confirm-email-change': async (server, { token, email }) => {
    await server.call('PATCH /web/profile', { token, body: { email: `moved-${email}`, current_password: goodPassword } });
    return { body: await mailedToken(server, `moved-${email}`, '/confirm-email-change/') };
  },
  'POST /forgot-password': async (_, { email }) => ({ body: { email } }),
  'POST /reset-password': async (server, { email }) => {
    await server.call('POST /forgot-password', { body: { email }, headers: newAddress() });
    return { body: { ...(await mailedToken(server, email, '/reset-password/')), password: 'another long password' } };
  },
  'PATCH /web/profile': async (_, { token }) => ({
    token,
    body: { name: 'Ann', phone_number: '+12025550143', current_password: goodPassword, password: 'another long password' },
  }),
  'POST /keep-account': async (server, { token, email }) => {
    await server.call('POST /web/account/deletion', { token, body: { current_password: goodPassword } });
    return { body: await mailedToken(server, email, '/keep-account/') };
  },
  'POST /remove-sign-in/details': removalToken,
  'POST /remove-sign-in': removalToken,
  'POST /web/profile/sub/order': async (server, { email }) => {
    const { token } = await newcomer(server, 'New Example', `buys-${email}`);
    return { token, body: { price: 'price_family_yearly', promo: null } };
  },
  'POST /web/verify-phonenumber': async (server, { token }) => {
    await server.call('PATCH /web/profile', { token, body: { phone_number: '+12025550144', current_password: goodPassword } });
    await server.call('POST /web/send-phone-code', { token });
    const [text] = await server.textsTo('+12025550144');
    return { token, body: { code: /\b\d{6}\b/.exec(text?.body ?? '')?.[0] } };
  },
  'POST /web/devices/:uuid': async (server, { token }) => {
    const { uuid } = await linkedDevice(server, token);
    return {
      path: `POST /web/devices/${uuid}`,
      token,
      body: { name: 'Kitchen PC', policy: 'permissive', person: { name: 'Mum', phone_number: '', is_holder: false } },
    };
  },
  'POST /web/devices/:id/v2/exceptions': async (server, { token }) => {
    const { uuid } = await linkedDevice(server, token);
    return { path: `POST /web/devices/${uuid}/v2/exceptions`, token, body: { type: 'domain', identifier: 'example.com', lasts: 'hour' } };
  },
  'DELETE /web/devices/:id/v2/exceptions': async (server, { token }) => {
    const { uuid } = await linkedDevice(server, token);
    const path = `/web/devices/${uuid}/v2/exceptions`;
    const { body } = await server.call(`POST ${path}`, { token, body: { type: 'definition', identifier: 'anydesk' } });
    return { path: `DELETE ${path}`, token, body: { id: body.id } };
  },
  'POST /guardian/:id/push': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    return { path: `POST /guardian/${uuid}/push`, headers, body: validBodies['POST /guardian/:id/push'] ?? {} };
  },
  'POST /guardian/:id/push/end': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    return { path: `POST /guardian/${uuid}/push/end`, headers, body: validBodies['POST /guardian/:id/push/end'] ?? {} };
  },
  'PATCH /web/policies/:uuid': async (server, { token }) => {
    const { body } = await server.call('POST /web/policies', { token, body: validBodies['POST /web/policies'] });
    await linkedDevice(server, token, 'Den PC', String(body.uuid));
    return { path: `PATCH /web/policies/${body.uuid}`, token, body: { ...validBodies['PATCH /web/policies/:uuid'], name: 'Quiet' } };
  },
  'POST /web/detections/:uuid/answer': async (server, { token }) => {
    const alert = await reportDetection(server, token);
    return { path: `POST /web/detections/${alert}/answer`, token, body: { answer: 'mine' } };
  },
  'POST /guardian/:id/devices/:uuid': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    const { uuid: device } = await newDevice(server, token);
    return { path: `POST /guardian/${uuid}/devices/${device}`, headers, body: { known: false } };
  },
  'POST /guardian/:id/alerts/:uuid/answer': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    const alert = await reportDetection(server, token);
    return { path: `POST /guardian/${uuid}/alerts/${alert}/answer`, headers, body: { answer: 'sorted' } };
  },
  'POST /web/reauthenticate': async (_, { token }) => ({ token, body: { password: goodPassword } }),
  'POST /web/passkeys': async (server, { token }) => {
    const { body } = await server.call('POST /web/passkeys/options', { token, body: { current_password: goodPassword } });
    return { token, body: { name: 'My key', passkey: passkeyDevice().create(body) } };
  },
  'POST /web/passkeys/:uuid/remove': async (server, { token }) => {
    await addedPasskey(server, token);
    const { passkeys } = (await server.call('GET /web/sign-in-methods', { token })).body;
    return { path: `POST /web/passkeys/${passkeys?.[0]?.uuid}/remove`, token, body: { current_password: goodPassword } };
  },
  'POST /login/passkey': async (server, { token }) => {
    const device = await addedPasskey(server, token);
    return { body: { passkey: device.answer((await server.call('POST /login/passkey/options')).body) } };
  },
  'POST /web/authenticator': async (server, { token }) => {
    const { setup, code } = await beginApp(server, token);
    return { token, body: { setup, code: code() } };
  },
  'POST /web/authenticator/remove': withApp('POST /web/authenticator/remove'),
  'POST /web/recovery-codes': withApp('POST /web/recovery-codes'),
  'POST /web/incidents/:uuid': onIncident('POST /web/incidents/:uuid', { answer: 'on_it' }),
  'POST /web/incidents/:uuid/steps': onIncident('POST /web/incidents/:uuid/steps', { step: 'call_bank', done: true }),
  'POST /web/incidents/:uuid/how': onIncident('POST /web/incidents/:uuid/how', { how: 'fine' }),
  'POST /web/requests/:uuid': async (server, { token }) => {
    await reportDetection(server, token);
    return { path: `POST /web/requests/${await heldRequest(server, token)}`, token, body: { answer: 'no' } };
  },
  'POST /guardian/:id/requests/:uuid': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    await reportDetection(server, token);
    return { path: `POST /guardian/${uuid}/requests/${await heldRequest(server, token)}`, headers, body: { answer: 'no' } };
  },
  'POST /guardian/:id/incidents/:uuid': onIncidentByGuardian('POST /guardian/:id/incidents/:uuid', { answer: 'on_it' }),
  'POST /guardian/:id/incidents/:uuid/steps': onIncidentByGuardian('POST /guardian/:id/incidents/:uuid/steps', {
    step: 'call_bank',
    done: true,
  }),
  'POST /guardian/:id/incidents/:uuid/how': onIncidentByGuardian('POST /guardian/:id/incidents/:uuid/how', { how: 'fine' }),
  'PUT /web/guardians/order': async (server, { token, email }) => {
    await activeGuardian(server, token, 'Bob', `bob-${email}`);
    // Guardians of one moment have no order.
    server.clock.turn(1000);
    const { uuid } = await activeGuardian(server, token, 'Carol', `carol-${email}`);
    return { token, body: { order: [uuid] } };
  },
  'PATCH /web/guardians/:uuid': async (server, { token, email }) => {
    const { uuid } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    return { path: `PATCH /web/guardians/${uuid}`, token, body: { may_isolate: true } };
  },
  'POST /guardian/:id/stop': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    const { uuid: device } = await linkedDevice(server, token);
    await server.call(`PATCH /web/guardians/${uuid}`, { token, body: { may_isolate: true } });
    return { path: `POST /guardian/${uuid}/stop`, headers, body: { device, minutes_offline: 15 } };
  },
  'POST /guardian/:id/codes': async (server, { token, email }) => {
    const { uuid: device } = await linkedDevice(server, token);
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    // A guardian of long ago: the test's clock does not go on.
    await server.db
      .updateTable('guardians')
      .set({ accepted: new Date('2020-01-01T12:00:00Z') })
      .where('uuid', '=', uuid)
      .execute();
    return { path: `POST /guardian/${uuid}/codes`, headers, body: { device, purpose: 'pause' } };
  },
  'POST /web/appointments': async (server, { token }) => {
    const body = { name: 'Mum’s PC', policy: null, person: { name: 'Mum', is_holder: false } };
    const { uuid: device, login_code: code } = (await server.call('POST /web/create-device', { token, body })).body;
    await server.call('POST /agent/enrol', { body: { code, info, enrol_id: randomUUID() } });
    await server.call('POST /web/reauthenticate', { token, body: { password: goodPassword } });
    return { token, body: { ...validBodies['POST /web/appointments'], device } };
  },
  'POST /guardian/:id/appointments': async (server, { token, email }) => {
    const { uuid: device } = await linkedDevice(server, token);
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    const phone_number = email.startsWith('ann') ? '+12025550147' : '+12025550148';
    const long_ago = new Date('2020-01-01T12:00:00Z');
    await server.db
      .updateTable('guardians')
      .set({ accepted: long_ago, phone_number, phone_number_verified: true, phone_verified_time: long_ago })
      .where('uuid', '=', uuid)
      .execute();
    await server.call(`POST /guardian/${uuid}/answer-code`, { headers });
    const [text] = await server.textsTo(phone_number);
    const code = /\b\d{6}\b/.exec(text?.body ?? '')?.[0];
    return { path: `POST /guardian/${uuid}/appointments`, headers, body: { ...validBodies['POST /web/appointments'], device, code } };
  },
  'POST /web/help': async (server, { token }) => ({ token, body: { device: (await linkedDevice(server, token)).uuid } }),
  'POST /code': async (server, { token }) => ({ body: { code: (await newDevice(server, token)).login_code } }),
  'POST /code/ask': async (server, { token }) => ({ body: { code: (await newDevice(server, token)).login_code } }),
  'POST /guardian/:id/session': async (server, { token, email }) => {
    const { uuid, email: guardianEmail } = await guardsByCalls(server, token, 'Bob', `bob-${email}`);
    const key = linkIn((await server.mailsTo(guardianEmail))[0], `/guardian/${uuid}/`);
    return { path: `POST /guardian/${uuid}/session`, body: { key } };
  },
  'POST /guardian/:id/leave': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    return { path: `POST /guardian/${uuid}/leave`, headers, body: { code: '123456' } };
  },
  'PATCH /guardian/:id': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    return { path: `PATCH /guardian/${uuid}`, headers, body: { phone_number: '+12025550145', sms: true, email: false } };
  },
  'POST /guardian/:id/verify-phone': async (server, { token, email }) => {
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    await server.call(`PATCH /guardian/${uuid}`, { headers, body: { phone_number: '+12025550146' } });
    await server.call(`POST /guardian/${uuid}/send-phone-code`, { headers });
    const [text] = await server.textsTo('+12025550146');
    return { path: `POST /guardian/${uuid}/verify-phone`, headers, body: { code: /\b\d{6}\b/.exec(text?.body ?? '')?.[0] } };
  },
  'POST /agent/enrol': async (server, { token }) => ({
    body: { code: (await newDevice(server, token)).login_code, info, enrol_id: randomUUID() },
  }),
  'POST /agent/whose': async (server, { token }) => ({ body: { code: (await newDevice(server, token)).login_code } }),
  'POST /agent/changes': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: { known: 0, known_epoch: 1, known_definitions: 0, protecting: false, wait: 0 },
  }),
  'POST /agent/check-in': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: { ...checkInBody, info: { ...info, name: 'another-name' }, protecting: false, problems: ['a problem'], asks: [randomUUID()] },
  }),
  'POST /agent/pin': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: validBodies['POST /agent/pin'] ?? {},
  }),
  'POST /agent/goodbye': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: validBodies['POST /agent/goodbye'] ?? {},
  }),
  'POST /agent/events': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: validBodies['POST /agent/events'] ?? {},
  }),
  'POST /agent/scan': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: validBodies['POST /agent/scan'] ?? {},
  }),
  'POST /agent/detections': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: { detections: [detection(server), detection(server, { identifier: 'teamviewer', name: 'TeamViewer' })] },
  }),
};

const newAddress = () => ({ 'x-forwarded-for': fakeAddress() });

/** Prepares a call. The same `name` on two servers gives equal data. */
async function preparedCall(server: TestServer, key: Key, name: string): Promise<Required<Ready>> {
  // Checked before the two servers differ.
  if (key.includes(':') && !prepare[key])
    throw new Error(`Add ${key} to \`prepare\` in this file: whose id stands in its path, and its body.`);
  if (!prepare[key] && !validBodies[key]) throw new Error(`Add a valid body of ${key} to server/testing/valid-bodies.ts.`);
  const holder = await person(server, 'Ann Example', `${name}-${keys.indexOf(key)}@example.org`);
  const { token, ...life } = (await prepare[key]?.(server, holder)) ?? { token: holder.token, body: validBodies[key] };
  return { path: key, headers: newAddress(), token: token ?? '', ...life, body: life.body ?? {} };
}

const mark = 'hostile-value';

/** Values that an attacker would like to set. `their`: ids of another user. */
const extras = (their: { account: string; device: string }): Record<string, unknown> => ({
  uuid: their.account,
  account: their.account,
  account_id: their.account,
  user_id: their.account,
  id: their.account,
  device: their.device,
  device_id: their.device,
  guardian: their.account,
  email_verified: true,
  phone_number_verified: true,
  phone_number_opted_out: true,
  pending_email: 'vic@example.org',
  device_limit: 999,
  external: true,
  lifetime: true,
  subscribed: true,
  expires: '2999-01-01T00:00:00.000Z',
  register_promo_code: mark,
  password_hash: mark,
  sealed_pin: mark,
  bypass_password: mark,
  token_hash: mark,
  code_hash: mark,
  key_version: 999,
  policy_version: 999,
  description: mark,
  tries: -999,
  uses: -999,
  max_uses: 999,
  created: '1999-01-01T00:00:00.000Z',
  installed: '1999-01-01T00:00:00.000Z',
  last_seen: '1999-01-01T00:00:00.000Z',
  last_detection: '1999-01-01T00:00:00.000Z',
  accepted: '1999-01-01T00:00:00.000Z',
  declined: '1999-01-01T00:00:00.000Z',
  left_at: '1999-01-01T00:00:00.000Z',
  mail: false,
  added: '1999-01-01T00:00:00.000Z',
  until: '2999-01-01T00:00:00.000Z',
  invited: '1999-01-01T00:00:00.000Z',
  received: '1999-01-01T00:00:00.000Z',
  counted_into: their.account,
  used: null,
  is_admin: true,
  role: mark,
  access: 'member',
  constructor: mark,
  prototype: { is_admin: true },
  toString: mark,
  $where: '1=1',
});

type Shape = { properties?: Record<string, Shape>; items?: Shape };

/** Adds unexpected fields to the body and to the objects in it. */
function withExtras(body: unknown, shape: Shape, extraFields: Record<string, unknown>): unknown {
  if (Array.isArray(body)) return body.map((item) => withExtras(item, shape.items ?? {}, extraFields));
  if (typeof body !== 'object' || body === null) return body;
  const { properties = {} } = shape;
  const unexpectedFields = Object.entries(extraFields).filter(([name]) => !Object.hasOwn(properties, name));
  const ownFields = Object.entries(body).map(([name, value]) => [name, withExtras(value, properties[name] ?? {}, extraFields)] as const);
  return Object.fromEntries([...unexpectedFields, ...ownFields]);
}

async function their(server: TestServer) {
  const { uuid, device } = await server.db
    .selectFrom('accounts')
    .innerJoin('devices', 'devices.account', 'accounts.uuid')
    .select(['accounts.uuid', 'devices.uuid as device'])
    .where('email', '=', 'vic@example.org')
    .executeTakeFirstOrThrow();
  return { account: uuid, device };
}

/** The answer, with ids and random values replaced so that they do not differ. */
async function answer(server: TestServer, { path, token, headers, body }: Required<Ready>) {
  const reply = await server.call(path, { body, headers, ...(token ? { token } : {}) });
  await server.app.worker.idle();
  // Delivery depends on the worker's timing, not on the call.
  const deliveredText = JSON.stringify(reply.body).replaceAll('"state":"waiting"', '"state":"sent"');
  // A one-time code depends on the random secret of its device.
  // WebAuthn's user handle is the account's id in another spelling.
  const bodyText = deliveredText.replace(/"code":"\d{8}"/, '"code":"12345678"').replace(/(?<="user":\{"id":")[\w-]{22}/, '<account>');
  const text = normalizeText(bodyText, await namesOf(server));
  // A downloaded file may have rows of the same time in any order.
  return { status: reply.status, body: typeof reply.body.content === 'string' ? text.split('\\n').toSorted() : text };
}

/** Without the networks of devices: an authenticated call's is stored before its body is read. */
const rowsOf = async (server: TestServer) => (await allRows(server)).filter((row) => !row.startsWith('device_networks '));

/** The rows that occur more often than in `others`. */
function without(rows: string[], others: string[]): string[] {
  const remaining = new Map<string, number>();
  for (const row of others) remaining.set(row, (remaining.get(row) ?? 0) + 1);
  return rows.filter((row) => {
    const count = remaining.get(row) ?? 0;
    remaining.set(row, count - 1);
    return count <= 0;
  });
}

describe.each(keys)('hostile fields in the body of the call %s', (key) => {
  const shape = z.toJSONSchema((api[key] as { body: z.ZodType }).body, { io: 'input', unrepresentable: 'any' }) as Shape;

  test('unexpected fields in the body are ignored', async () => {
    const plainAnswer = await answer(plainServer, await preparedCall(plainServer, key, 'ann'));
    const hostileCall = await preparedCall(hostileServer, key, 'ann');
    const body = withExtras(hostileCall.body, shape, extras(await their(hostileServer))) as object;
    expect(Object.keys(body).length - Object.keys(hostileCall.body).length).toBeGreaterThanOrEqual(30);
    expect(plainAnswer.status).toBe(200);
    expect(await answer(hostileServer, { ...hostileCall, body })).toEqual(plainAnswer);
    const [rows, expected] = [await rowsOf(hostileServer), await rowsOf(plainServer)];
    expect({ more: without(rows, expected), fewer: without(expected, rows) }).toEqual({ more: [], fewer: [] });
    expect(rows.join('\n')).not.toContain(mark);
  });

  test('a body with fields that would change the prototype of objects is refused, and changes nothing', async () => {
    const { path, token, headers, body } = await preparedCall(hostileServer, key, 'eve');
    await preparedCall(plainServer, key, 'eve');
    const before = await rowsOf(hostileServer);
    for (const hostileField of ['"__proto__":{"is_admin":true}', '"constructor":{"prototype":{"is_admin":true}}']) {
      const [method = '', url = ''] = path.split(' ');
      const reply = await hostileServer.app.http.inject({
        method: method as 'POST',
        url: `/api${url}`,
        headers: { 'content-type': 'application/json', ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        payload: JSON.stringify(body).replace('{', `{${hostileField},`),
      });
      expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([422, 'invalid_input']);
    }
    expect(await rowsOf(hostileServer)).toEqual(before);
    expect(({} as { is_admin?: boolean }).is_admin).toBeUndefined();
  });
});
