import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../lib/log.ts';
import { agentInfo, checkInBody } from './agent-info.ts';
import { beginApp } from './authenticator-app.ts';
import { registersByCalls } from './calls-of-people.ts';
import { breaks, dyingJobs, failingPayments } from './canary-failures.ts';
import { canaries, secretsIn, value } from './canary-words.ts';
import { detection, fakeAddress, guardianSession, linkedDevice, linkIn, person, type Reply, type TestServer, testServer } from './world.ts';

/**
 * Secrets and words of people go in by the public door, through calls that succeed, fail and break, and through jobs that die. Each is of
 * words that occur nowhere else, and none may be in the log at its most talkative level.
 */

/** What the server itself makes, found in its answers and messages. */
const made = new Map<string, string>();

const logged: string[] = [];
let server: TestServer;
let text = '';
const calls: { key: string; reply: Reply }[] = [];

const ownHeaders = () => ({
  cookie: `porchlight_guardian=${value('cookie of a stranger')}`,
  'user-agent': value('browser of the caller'),
  referer: value('page that led here'),
});

async function call(key: string, options: Parameters<TestServer['call']>[1] = {}): Promise<Reply> {
  const headers = { 'x-forwarded-for': fakeAddress(), ...ownHeaders(), ...options.headers };
  const reply = await server.call(key, { ...options, headers });
  calls.push({ key, reply });
  return reply;
}

async function raw(url: string, payload: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, headers: answered } = await server.app.http.inject({ method: 'POST', url, headers, payload });
  calls.push({ key: `POST ${url}`, reply: { status: statusCode, body: {}, headers: answered } });
}

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.database_url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

beforeAll(async () => {
  server = await testServer({ LOG_LEVEL: 'trace' }, undefined, {
    onMailStep(step, recipient) {
      if (step === 'rcpt' && recipient.startsWith('nostral')) {
        throw Object.assign(new Error(`5.1.1 ${value('answer of the mail server')}`), { responseCode: 550 });
      }
    },
  });
  server.app.http.get('/api/breaks/:way', async (request) => breaks((request.params as { way: string }).way));
  const { token } = await holder();
  await strangers(token);
  const { device, agent } = await computer(token);
  await guardian(token);
  await codes(token);
  await failingDatabase(token, device);
  await call('GET /breaks/error');
  await call('GET /breaks/type');
  await call('GET /breaks/cause');
  const log = openLog('trace', { write: (line: string) => void logged.push(line) });
  await failingPayments(server, log);
  await dyingJobs(server, log, call, { token, agent });
  text = server.logged() + logged.join('');
});
afterAll(() => server.close());

async function holder() {
  const email = value('email address of the holder');
  const user = await registersByCalls(server, value('name of the holder'), email);
  made.set('web token', user.token);
  const [confirmation] = await server.mailsTo(email);
  made.set('token of a confirmation', linkIn(confirmation, '/confirm-email/'));
  await call('POST /register', {
    body: { name: value('name of someone who registers twice'), email, password: 'quite a long one', promo: null, signup_code: null },
  });
  await call('POST /forgot-password', { body: { email } });
  made.set('token of a reset', linkIn((await server.mailsTo(email))[0], '/reset-password/'));
  await call('POST /register', {
    body: { name: 'X', email: 'not one', password: value('password that is too common or too short'), promo: value('promotion code') },
  });
  await call(`GET /promo-code?code=${value('promotion code')}`);
  return user;
}

async function strangers(token: string): Promise<void> {
  const forged = { authorization: `Bearer ${value('forged web token')}`, 'x-forwarded-for': value('address of the caller') };
  await call('GET /web/profile', { headers: forged });
  await call('POST /login/web', {
    body: { email: value('email address of a failed login'), password: value('wrong password at a login') },
  });
  await call('POST /forgot-password', { body: { email: value('email address of a forgotten password') } });
  await call('POST /confirm-email', { body: { token: value('forged token of an email') } });
  await call(`GET /no-such-call?email=${value('email address in a query')}`);
  await call(`GET /web/devices/${value('email address in a path')}`, { token });
  await call(`POST /guardian/${randomUUID()}/session`, { body: { key: value('forged key of a guardian') } });
  await call('POST /login/passkey', {
    body: {
      passkey: {
        ...{ id: value('body of a passkey'), rawId: value('body of a passkey'), type: 'public-key' },
        response: { clientDataJSON: value('body of a passkey'), authenticatorData: 'AAAA', signature: 'AAAA' },
      },
    },
  });
  const json = 'application/json';
  await raw('/api/stripe/webhook', JSON.stringify({ receipt_email: value('body of a payment webhook') }), {
    'content-type': json,
    'stripe-signature': value('signature of a payment webhook'),
  });
  await raw('/api/texts/inbound', new URLSearchParams({ From: '+12025550166', Body: value('text message to us') }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': 'c2lnbmF0dXJl',
  });
  await raw('/api/login/web', value('malformed JSON'), { 'content-type': json });
}

async function computer(token: string) {
  const { token: member } = await person(server);
  const body = {
    name: value('name of a device'),
    policy: null,
    person: { name: value('name of the user of a device'), phone_number: value('phone number of the user of a device'), is_holder: false },
  };
  const created = await call('POST /web/create-device', { token: member, body });
  made.set('code of a device', String(created.body.login_code));
  const info = { ...agentInfo, name: value('host name of a computer') };
  const enrolled = await call('POST /agent/enrol', { body: { code: created.body.login_code, info, enrol_id: randomUUID() } });
  const agent = String(enrolled.body.agent_token);
  made.set('agent token', agent);
  await call('POST /agent/check-in', {
    token: agent,
    body: { ...checkInBody, info, protecting: false, problems: [value('problem that an agent reports')], asks: [] },
  });
  const reported = detection(server, {
    ...{ name: value('name of an alert'), identifier: value('identifier of an alert'), details: value('file path of a detection') },
  });
  await call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
  await call('POST /agent/detections', { token: agent, body: { detections: [{ ...reported, time: value('file path of a detection') }] } });
  const found = {
    kind: 'downloads',
    identifier: 'x',
    name: 'X',
    category: 'RemoteControl',
    certainty: 'certain',
    did: 'left',
    blocked: false,
  };
  await call('POST /agent/scan', {
    token: agent,
    body: { uuid: randomUUID(), time: server.clock.now().toISOString(), items: [{ ...found, details: value('path in a scan') }] },
  });
  await call('POST /agent/pin', { token: agent, body: { pin: value('wrong PIN') } });
  const actions = { RemoteControl: 'alert', DeceptiveUtility: 'block', ScamWebsite: 'block' };
  await call('POST /web/policies', { token: member, body: { name: value('name of a policy'), actions } });
  const device = String(created.body.uuid);
  await call(`POST /web/devices/${device}/v2/exceptions`, {
    token: member,
    body: { type: 'domain', identifier: value('allowed site'), lasts: null },
  });
  made.set('PIN', String((await call('GET /web/bypasspassword', { token })).body.bypass_password));
  return { device: { uuid: device, token: member }, agent };
}

async function guardian(token: string): Promise<void> {
  const email = value('email address of a guardian');
  const { body } = await call('POST /web/create-guardian', { token, body: { name: value('name of a guardian'), email } });
  const uuid = String(body.uuid);
  made.set('key of a guardian', linkIn((await server.mailsTo(email))[0], `/guardian/${uuid}/`));
  const session = await guardianSession(server, uuid, email);
  made.set('cookie of a guardian', /=([^;]{20,})/.exec(session.cookie ?? '')?.[1] ?? '');
  made.set('XSRF token of a guardian', session['x-xsrf-token'] ?? '');
  await call(`POST /guardian/${uuid}/accept`, { headers: session });
  await call(`GET /guardian/${uuid}`, { headers: session });
}

async function codes(token: string): Promise<void> {
  const app = await beginApp(server, token);
  made.set('secret of an authenticator app', app.secret);
  made.set('setup of an authenticator app', app.setup);
  const { body } = await call('POST /web/authenticator', { token, body: { setup: app.setup, code: app.code() } });
  made.set('recovery code', String((body.recovery_codes as unknown as string[] | null)?.[0]));
}

/** Constraints that the statements of the rename break, as a fault of ours would. */
async function failingDatabase(token: string, device: { uuid: string; token: string }): Promise<void> {
  const rename = (name: string) =>
    call(`POST /web/devices/${device.uuid}`, { token: device.token, body: { name, policy: 'strict', person: null } });
  const second = value('second name of a device');
  const begin = 'create or replace function broken() returns trigger language plpgsql as $$ begin';
  const end = 'return new; end $$; create or replace trigger broken before update on devices for each row execute function broken()';
  await linkedDevice(server, device.token, second);
  await run('create unique index only_name on devices (name)');
  await rename(second);
  await run('drop index only_name');
  await run(`${begin} perform new.name::uuid; ${end}`);
  await rename(value('value of the wrong type'));
  await run(
    `${begin} new.name := new.name::varchar(500); insert into short_names values (new.name); ${end}; create table short_names (name varchar(5))`,
  );
  await rename(second);
  await run(`${begin} raise exception 'away' using errcode = '57P03', detail = new.name; ${end}`);
  await rename(second);
  await run('drop function broken cascade');
  await call('PATCH /web/profile', { token, body: { phone_number: value('invalid phone number'), current_password: 'x' } });
}

test('[P7.2] none of the words and secrets of people that went in is in the log', () => {
  const rows = [...Object.entries(canaries), ...made];
  expect(Object.keys(canaries).length + made.size).toBeGreaterThanOrEqual(40);
  expect([...made].filter(([, secret]) => secret.length < 4 || secret === 'undefined')).toEqual([]);
  expect(secretsIn(text, rows)).toEqual([]);
});

interface Line {
  msg: string;
  level: number;
  request?: string;
  status?: number;
  err?: Record<string, unknown>;
  [field: string]: unknown;
}
const lines = () =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

test('[P7.2] each of these calls has its line with its route, its status and its id, whatever became of it', () => {
  const statuses = new Map(lines().flatMap(({ msg, request, status }) => (msg === 'call' && request ? [[request, status]] : [])));
  expect(calls.filter(({ reply }) => statuses.get(String(reply.headers['x-request-id'])) !== reply.status).map(({ key }) => key)).toEqual(
    [],
  );
  expect(new Set(calls.map(({ reply }) => reply.status))).toEqual(new Set([200, 400, 401, 403, 404, 409, 410, 422, 500, 503]));
  expect(lines().filter(({ msg, route }) => msg === 'call' && route === '/api/web/devices/:uuid').length).toBeGreaterThan(3);
});

test('[P7.2] an error has its code, its place in the source and the id of its call', () => {
  const errors = lines().filter(({ msg }) => msg === 'unexpected error' || msg === 'the database is out of reach');
  const requests = errors.map(({ request }) => request);
  const failed = calls.filter(({ reply }) => reply.status >= 500).map(({ reply }) => reply.headers['x-request-id']);
  expect(requests).toEqual(failed);
  expect(errors.map(({ err }) => err?.code).filter(Boolean)).toEqual(['23505', '22P02', '22001', '57P03']);
  expect(errors[0]?.err).toMatchObject({ table: 'devices', constraint: 'only_name', severity: 'ERROR' });
  expect(errors.at(-2)?.err).toMatchObject({
    type: 'TypeError',
    stack: expect.arrayContaining([expect.stringContaining('canary-failures.ts')]),
  });
  expect(errors.at(-1)?.err).toMatchObject({ type: 'AggregateError', cause: { type: 'Error', cause: { type: 'string' } } });
});

test('[P7.2] jobs that failed have their kind, the code of the answer and their place', () => {
  const failures = lines().filter(({ msg }) => msg === 'a job failed');
  expect(failures).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'mail', status: 550, code: '5.1.1', command: 'RCPT TO' }),
      expect.objectContaining({ kind: 'sms', about: 'address' }),
      expect.objectContaining({ kind: 'sms', error: 'Error', at: expect.stringContaining('canary-failures.ts') }),
    ]),
  );
  expect(lines().filter(({ msg, state }) => msg === 'job' && state === 'dead').length).toBeGreaterThan(0);
  expect(lines().find(({ msg }) => msg === 'an error of the library itself')?.err).toMatchObject({
    type: expect.stringContaining('Stripe'),
    code: 'resource_missing',
    statusCode: 400,
  });
});
