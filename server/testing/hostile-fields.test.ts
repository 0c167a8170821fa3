import { randomUUID } from 'node:crypto';
import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentInfo as info } from './agent-info.ts';
import { alike, allRows, namesOf } from './twin-rows.ts';
import { validBodies } from './valid-bodies.ts';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  linkedDevice,
  linkIn,
  newcomer,
  person,
  type TestServer,
  testServer,
} from './world.ts';

/**
 * What is sent beside what a call takes changes nothing. Two servers live the same life, call by call; one hears the plain bodies, the other one the
 * same with columns of our tables and powers beside them; and in the end their rows are the same. The calls come from the contract: a new one is tried
 * the minute it exists, with its body of `validBodies`, or with one from `lives` where it takes something that must have happened before.
 */

type Key = keyof typeof api;
interface Ready {
  path?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: object;
}

const keys = (Object.keys(api) as Key[]).filter((key) => (api[key] as Endpoint).body);
let plain: TestServer;
let hostile: TestServer;
beforeAll(async () => {
  [plain, hostile] = await Promise.all([testServer(), testServer()]);
  for (const server of [plain, hostile]) await linkedDevice(server, (await person(server, 'Vic Other', 'vic@example.org')).token);
});
afterAll(async () => {
  await plain.close();
  await hostile.close();
});

const mailed = async (server: TestServer, email: string, marker: string) => ({
  token: linkIn((await server.mailsTo(email))[0], marker),
});
const newDevice = async (server: TestServer, token: string) =>
  (await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } })).body;

const reported = async (server: TestServer, token: string) => {
  const { agent } = await linkedDevice(server, token);
  const seen = detection(server);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [seen] } });
  return seen.uuid;
};

/** What must have happened in someone's life before a call is accepted, and what the call takes then. */
const lives: Partial<Record<Key, (server: TestServer, holder: { token: string; email: string }) => Promise<Ready>>> = {
  'POST /login/web': async (_, { email }) => ({ body: { email, password: goodPassword } }),
  'POST /register': async (_, { email }) => ({ body: { name: 'New', email: `new-${email}`, password: goodPassword } }),
  'POST /confirm-email': async (server, { email }) => {
    const fresh = `fresh-${email}`;
    await server.call('POST /register', { body: { name: 'Fresh', email: fresh, password: goodPassword }, headers: from() });
    return { body: await mailed(server, fresh, '/confirm-email/') };
  },
  'POST /confirm-email-change': async (server, { token, email }) => {
    await server.call('PATCH /web/profile', { token, body: { email: `moved-${email}`, current_password: goodPassword } });
    return { body: await mailed(server, `moved-${email}`, '/confirm-email-change/') };
  },
  'POST /forgot-password': async (_, { email }) => ({ body: { email } }),
  'POST /reset-password': async (server, { email }) => {
    await server.call('POST /forgot-password', { body: { email }, headers: from() });
    return { body: { ...(await mailed(server, email, '/reset-password/')), password: 'another long password' } };
  },
  'PATCH /web/profile': async (_, { token }) => ({
    token,
    body: { name: 'Ann', phone_number: '+12025550143', current_password: goodPassword, password: 'another long password' },
  }),
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
  'PATCH /web/policies/:uuid': async (server, { token }) => {
    const { body } = await server.call('POST /web/policies', { token, body: validBodies['POST /web/policies'] });
    await linkedDevice(server, token, 'Den PC', String(body.uuid));
    return { path: `PATCH /web/policies/${body.uuid}`, token, body: { ...validBodies['PATCH /web/policies/:uuid'], name: 'Quiet' } };
  },
  'POST /web/detections/:uuid/answer': async (server, { token }) => {
    const alert = await reported(server, token);
    return { path: `POST /web/detections/${alert}/answer`, token, body: { answer: 'mine' } };
  },
  'POST /guardian/:id/alerts/:uuid/answer': async (server, { token, email }) => {
    const alert = await reported(server, token);
    const { uuid, session: headers } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    return { path: `POST /guardian/${uuid}/alerts/${alert}/answer`, headers, body: { answer: 'sorted' } };
  },
  'POST /code': async (server, { token }) => ({ body: { code: (await newDevice(server, token)).login_code } }),
  'POST /code/ask': async (server, { token }) => ({ body: { code: (await newDevice(server, token)).login_code } }),
  'POST /guardian/:id/session': async (server, { token, email }) => {
    const { uuid, email: theirs } = await activeGuardian(server, token, 'Bob', `bob-${email}`);
    const key = linkIn((await server.mailsTo(theirs))[0], `/guardian/${uuid}/`);
    return { path: `POST /guardian/${uuid}/session`, body: { key } };
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
  'POST /agent/enrol': async (server, { token }) => ({ body: { code: (await newDevice(server, token)).login_code, info } }),
  'POST /agent/whose': async (server, { token }) => ({ body: { code: (await newDevice(server, token)).login_code } }),
  'POST /agent/check-in': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: { info: { ...info, name: 'another-name' }, protecting: false, problems: ['a problem'], asks: [randomUUID()] },
  }),
  'POST /agent/pin': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: validBodies['POST /agent/pin'] ?? {},
  }),
  'POST /agent/goodbye': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: validBodies['POST /agent/goodbye'] ?? {},
  }),
  'POST /agent/news': async (server, { token }) => ({
    token: (await linkedDevice(server, token)).agent,
    body: validBodies['POST /agent/news'] ?? {},
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

const from = () => ({ 'x-forwarded-for': fakeAddress() });

/** A life up to the call. Two of the same `name` on two servers are twins. */
async function ready(server: TestServer, key: Key, name: string): Promise<Required<Ready>> {
  // Before anything is done on one of the two servers: they would differ from then on.
  if (key.includes(':') && !lives[key]) throw new Error(`Add ${key} to \`lives\` in this file: whose id stands in its path, and its body.`);
  if (!lives[key] && !validBodies[key]) throw new Error(`Add a valid body of ${key} to server/testing/valid-bodies.ts.`);
  const holder = await person(server, 'Ann Example', `${name}-${keys.indexOf(key)}@example.org`);
  const { token, ...life } = (await lives[key]?.(server, holder)) ?? { token: holder.token, body: validBodies[key] };
  return { path: key, headers: from(), token: token ?? '', ...life, body: life.body ?? {} };
}

const mark = 'hostile-value';

/** Columns, switches and powers, with what an attacker would like them to be. `their`: ids of someone else. */
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

/** The same body, with everything in it that the call does not take: beside its fields, and beside those of the objects within. */
function withExtras(body: unknown, shape: Shape, more: Record<string, unknown>): unknown {
  if (Array.isArray(body)) return body.map((item) => withExtras(item, shape.items ?? {}, more));
  if (typeof body !== 'object' || body === null) return body;
  const { properties = {} } = shape;
  const strange = Object.entries(more).filter(([name]) => !Object.hasOwn(properties, name));
  const own = Object.entries(body).map(([name, value]) => [name, withExtras(value, properties[name] ?? {}, more)] as const);
  return Object.fromEntries([...strange, ...own]);
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

/** What came back, alike on both servers when nothing but ids and random values differs. */
async function answer(server: TestServer, { path, token, headers, body }: Required<Ready>) {
  const reply = await server.call(path, { body, headers, ...(token ? { token } : {}) });
  await server.app.worker.idle();
  // Whether a mail has left by now is the worker's business, not the call's.
  const said = JSON.stringify(reply.body).replaceAll('"state":"waiting"', '"state":"sent"');
  return { status: reply.status, body: alike(said, await namesOf(server)) };
}

describe.each(keys)('%s', (key) => {
  const shape = z.toJSONSchema((api[key] as { body: z.ZodType }).body, { io: 'input', unrepresentable: 'any' }) as Shape;

  test('takes no notice of what it did not ask for', async () => {
    const told = await answer(plain, await ready(plain, key, 'ann'));
    const sent = await ready(hostile, key, 'ann');
    const body = withExtras(sent.body, shape, extras(await their(hostile))) as object;
    expect(Object.keys(body).length - Object.keys(sent.body).length).toBeGreaterThanOrEqual(30);
    expect(told.status).toBe(200);
    expect(await answer(hostile, { ...sent, body })).toEqual(told);
    const [rows, expected] = [await allRows(hostile), await allRows(plain)];
    expect({ more: rows.filter((row) => !expected.includes(row)), fewer: expected.filter((row) => !rows.includes(row)) }).toEqual({
      more: [],
      fewer: [],
    });
    expect(rows).toHaveLength(expected.length);
    expect(rows.join('\n')).not.toContain(mark);
  });

  test('refuses what would change the nature of objects, and changes nothing', async () => {
    const { path, token, headers, body } = await ready(hostile, key, 'eve');
    await ready(plain, key, 'eve');
    const before = await allRows(hostile);
    for (const poison of ['"__proto__":{"is_admin":true}', '"constructor":{"prototype":{"is_admin":true}}']) {
      const [method = '', url = ''] = path.split(' ');
      const reply = await hostile.app.http.inject({
        method: method as 'POST',
        url: `/api${url}`,
        headers: { 'content-type': 'application/json', ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        payload: JSON.stringify(body).replace('{', `{${poison},`),
      });
      expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([422, 'invalid_input']);
    }
    expect(await allRows(hostile)).toEqual(before);
    expect(({} as { is_admin?: boolean }).is_admin).toBeUndefined();
  });
});
