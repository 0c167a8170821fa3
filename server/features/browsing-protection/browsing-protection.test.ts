import { protectiveResolvers } from '@porchlight/contract/protective-resolvers.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { nextPolicyOf, policyOf } from '../../testing/policy-of.ts';
import { statementsOf } from '../../testing/statements.ts';
import { activeGuardian, linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const defaults = { browsers: true, resolver: 'network', notification_origins: [], resolver_chosen: false };
const chosen = { ...defaults, resolver_chosen: true };
const path = '/web/browsing-protection';
const get = async (token: string) => (await server.call(`GET ${path}`, { token })).body;
const choose = (token: string, body: object) => server.call(`PATCH ${path}`, { token, body });

/** An agent's policy, and the next one, which its long poll waits for. */
async function waiting(agent: string) {
  const policy = await policyOf(server, agent);
  return { version: policy.version, next: nextPolicyOf(server, agent, policy) };
}

const activities = async (token: string) => {
  const { items } = (await server.call('GET /web/acts', { token })).body as unknown as { items: { kind: string; words: string }[] };
  return items.filter(({ kind }) => kind.endsWith('_off') || kind === 'notifications_allowed').map(({ words }) => words);
};

test('a new account has protected browsers and the network’s resolver, and each can be changed alone and is stored', async () => {
  const { token } = await newcomer(server);
  expect(await get(token)).toEqual(defaults);
  expect((await choose(token, { resolver: 'quad9' })).body).toEqual({ ...chosen, resolver: 'quad9' });
  expect((await choose(token, { browsers: false })).body).toEqual({ ...chosen, browsers: false, resolver: 'quad9' });
  expect(await get(token)).toEqual({ ...chosen, browsers: false, resolver: 'quad9' });
  expect((await choose(token, {})).body).toEqual({ ...chosen, browsers: false, resolver: 'quad9' });
});

test('[P16.6] who looks up names counts as chosen after any answer, also one by which nothing changes, and not after another choice', async () => {
  const [ann, eve] = [await newcomer(server), await newcomer(server)];
  expect((await choose(ann.token, { browsers: false })).body.resolver_chosen).toBe(false);
  expect((await choose(ann.token, { resolver: 'network' })).body).toEqual({ ...chosen, browsers: false });
  expect((await choose(eve.token, { resolver: 'cloudflare' })).body.resolver_chosen).toBe(true);
  expect((await choose(eve.token, { resolver_chosen: false })).body.resolver_chosen).toBe(true);
});

test('a caller without a login, or with a token that is not a holder’s, neither reads nor changes browsing protection', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  for (const call of [`GET ${path}`, `PATCH ${path}`]) {
    for (const caller of [{}, { token: agent }]) {
      const body = call.startsWith('PATCH') ? { body: { browsers: false } } : {};
      expect((await server.call(call, { ...caller, ...body })).status).toBe(401);
    }
  }
  expect(await get(token)).toEqual(defaults);
});

test('a resolver that is not offered, or a value of the wrong type, is refused and changes nothing', async () => {
  const { token } = await newcomer(server);
  for (const body of [{ resolver: 'google' }, { resolver: null }, { resolver: '9.9.9.9' }, { browsers: 'no' }, { browsers: null }, []]) {
    expect((await choose(token, body)).status, JSON.stringify(body)).toBe(422);
  }
  expect((await choose(token, { browsers: false, resolver: 'google' })).status).toBe(422);
  expect(await get(token)).toEqual(defaults);
});

test('[P12.1] a chosen resolver reaches all waiting devices of the account at once, whatever their profile, and no other account', async () => {
  const { token } = await person(server);
  const eve = await person(server, 'Eve Other');
  const evesDevice = await linkedDevice(server, eve.token);
  const evesPolicy = await policyOf(server, evesDevice.agent);
  expect(evesPolicy).toMatchObject(defaultsOfPolicy);
  const devices = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B', 'permissive')];
  for (const choice of ['quad9', 'cloudflare'] as const) {
    const polls = await Promise.all(devices.map(({ agent }) => waiting(agent)));
    const started = Date.now();
    expect((await choose(token, { resolver: choice })).status).toBe(200);
    const { name, host, addresses } = protectiveResolvers[choice];
    for (const { version, next } of polls) {
      const policy = await next;
      expect(policy.version).toBe(version + 1);
      expect(policy.resolver).toStrictEqual({ name, host, addresses });
    }
    // A device that nobody woke would answer after 25 s, with the new version as well.
    expect(Date.now() - started).toBeLessThan(15_000);
  }
  expect(await activities(token)).toEqual([]);
  expect(await policyOf(server, evesDevice.agent)).toMatchObject({ version: evesPolicy.version, ...defaultsOfPolicy });
  expect(await get(eve.token)).toEqual(defaults);
});

const defaultsOfPolicy = { browsers: true, resolver: null };

test('[P12.2] browsers are managed on computers with Strict alone, not while the family has turned it off, and again once it is on', async () => {
  const { token } = await person(server);
  const [strict, permissive] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B', 'permissive')];
  expect([(await policyOf(server, strict.agent)).browsers, (await policyOf(server, permissive.agent)).browsers]).toEqual([true, false]);
  for (const browsers of [false, true]) {
    const { version, next } = await waiting(strict.agent);
    await choose(token, { browsers });
    expect(await next).toMatchObject({ version: version + 1, browsers });
    expect((await policyOf(server, permissive.agent)).browsers).toBe(false);
  }
  await server.call(`POST /web/devices/${strict.uuid}`, { token, body: { name: 'A', policy: 'permissive' } });
  expect((await policyOf(server, strict.agent)).browsers).toBe(false);
});

test('[P12.1] after the plan ended the chosen resolver stays and browsers are not managed; a holder without a plan still chooses', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  await choose(token, { resolver: 'quad9' });
  expect(await policyOf(server, agent)).toMatchObject({ browsers: true, resolver: { name: 'Quad9' } });
  await buyers(() => server).endPlan(email);
  expect(await policyOf(server, agent)).toMatchObject({ browsers: false, resolver: { name: 'Quad9' } });
  await choose(token, { resolver: 'cloudflare' });
  expect(await policyOf(server, agent)).toMatchObject({ browsers: false, resolver: { name: 'Cloudflare for Families' } });
});

test('[P10.4] turning off either protection is logged, and people are notified at once; turning it on, or another resolver, does neither', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const subjects = async (address: string) => (await server.mailsTo(address)).map(({ subject }) => subject);
  const newMails = async () => [await subjects(email), await subjects(bob.email)];

  await choose(token, { resolver: 'cloudflare' });
  await choose(token, { resolver: 'quad9' });
  expect([await activities(token), await newMails()]).toEqual([[], [[], []]]);

  await choose(token, { resolver: 'network' });
  server.clock.turn(1000);
  await choose(token, { browsers: false });
  expect(await activities(token)).toEqual(['Ann turned off browser protection.', 'Ann stopped using Quad9 to look up websites.']);
  const mails = await newMails();
  expect(mails.map((list) => list.toSorted())).toEqual([
    ['You stopped using Quad9 to look up websites', 'You turned off browser protection'],
    ['Ann stopped using Quad9 to look up websites', 'Ann turned off browser protection'],
  ]);
  const [mail] = (await server.mailsTo(bob.email)).filter(({ subject }) => subject.includes('browser protection'));
  expect(mail?.text).toContain('Websites can send pop-up messages again, and callers can use the browser to take over.');

  await choose(token, { browsers: true, resolver: 'quad9' });
  expect(await activities(token)).toHaveLength(2);
  expect(await newMails()).toEqual(mails);
});

test('both protections turned off in one call are two entries of the activity log and two emails, and one new version', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await linkedDevice(server, token);
  await choose(token, { resolver: 'cloudflare' });
  const mailsBefore = (await server.mailsTo(bob.email)).length;
  const { version } = await policyOf(server, agent);
  expect((await choose(token, { browsers: false, resolver: 'network' })).body).toEqual({ ...chosen, browsers: false });
  expect((await activities(token)).toSorted()).toEqual([
    'Ann stopped using Cloudflare for Families to look up websites.',
    'Ann turned off browser protection.',
  ]);
  expect(await server.mailsTo(bob.email)).toHaveLength(mailsBefore + 2);
  expect(await policyOf(server, agent)).toMatchObject({ version: version + 1, browsers: false, resolver: null });
});

test('two parallel calls that change different parts both take effect', async () => {
  const { token } = await newcomer(server);
  const replies = await Promise.all([choose(token, { browsers: false }), choose(token, { resolver: 'quad9' })]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(await get(token)).toEqual({ ...chosen, browsers: false, resolver: 'quad9' });
});

test('the same choice sent a hundred times writes no row, wakes no device, logs nothing and sends nothing', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await linkedDevice(server, token);
  const wakesOf = async (work: () => Promise<unknown>) =>
    (await statementsOf(work)).filter(({ text, values }) => text.includes('pg_notify') && values[0] === 'device').length;
  const choice = { browsers: false, resolver: 'quad9', notification_origins: ['https://mail.example'] };
  expect(await wakesOf(() => choose(token, choice))).toBe(1);
  const { version } = await policyOf(server, agent);
  const [mails, log, rows] = [(await server.mailsTo(bob.email)).length, await activities(token), await rowVersions()];
  const repeatCalls = async () => {
    for (let i = 0; i < 25; i++) {
      const bodies = [choice, { browsers: false }, { resolver: 'quad9' }, { notification_origins: choice.notification_origins }, {}];
      const replies = await Promise.all(bodies.map((body) => choose(token, body)));
      expect(replies.map(({ status, body }) => [status, body])).toEqual(bodies.map(() => [200, { ...choice, resolver_chosen: true }]));
    }
  };
  expect(await wakesOf(repeatCalls)).toBe(0);
  expect(await rowVersions()).toEqual(rows);
  expect((await policyOf(server, agent)).version).toBe(version);
  expect([(await server.mailsTo(bob.email)).length, await activities(token)]).toEqual([mails, log]);
});

const mail = 'https://mail.example.com';
const chat = 'https://chat.example.com:8443';

test('[P15.5] a website that is no exact origin, comes twice, or is the twenty-first, is refused and changes nothing', async () => {
  const { token } = await newcomer(server);
  const origins = Array.from({ length: 21 }, (_, n) => `https://mail-${n}.example`);
  for (const notification_origins of [
    ...['mail.example.com', 'http://mail.example.com', `${mail}/`, `${mail}/inbox`, `${mail}:443`, 'https://Mail.example.com'].map(
      (one) => [one],
    ),
    ...['https://*.example.com', 'https://[*.]example.com', '*', 'https://192.0.2.1', 'https://localhost', ''].map((one) => [one]),
    ...[[mail, mail], origins, mail, null, [1]],
  ]) {
    expect((await choose(token, { notification_origins })).status, JSON.stringify(notification_origins)).toBe(422);
  }
  expect(await get(token)).toEqual(defaults);
  expect((await choose(token, { notification_origins: origins.slice(1) })).body.notification_origins).toEqual(origins.slice(1));
});

test('[P15.5] an added website reaches waiting devices at once, and no other account; a removed website is gone, and the others stay', async () => {
  const { token } = await person(server);
  const eve = await linkedDevice(server, (await person(server, 'Eve Other')).token);
  const { agent } = await linkedDevice(server, token);
  const originsOf = async (device: string) => (await policyOf(server, device)).notification_origins;
  expect([await originsOf(agent), await originsOf(eve.agent)]).toEqual([[], []]);
  for (const notification_origins of [[mail, chat], [chat]]) {
    const { version, next } = await waiting(agent);
    expect((await choose(token, { notification_origins })).status).toBe(200);
    expect(await next).toMatchObject({ version: version + 1, browsers: true, notification_origins });
  }
  expect([await originsOf(agent), await originsOf(eve.agent)]).toEqual([[chat], []]);
});

test('[P15.5] only added websites are a weakening act, logged in one entry and one email by their names; removing one or sorting them is none', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const subjects = async () => (await server.mailsTo(bob.email)).map(({ subject }) => subject).filter((one) => one.includes('pop-up'));
  await choose(token, { notification_origins: [mail, chat] });
  const words = 'Ann let mail.example.com and chat.example.com:8443 send pop-up messages';
  expect([await activities(token), await subjects()]).toEqual([[`${words}.`], [words]]);
  for (const notification_origins of [[chat, mail], [chat], []]) await choose(token, { notification_origins });
  expect([await activities(token), await subjects()]).toEqual([[`${words}.`], [words]]);
  await choose(token, { notification_origins: [chat] });
  expect(await activities(token)).toHaveLength(2);
});

test('[P15.5] taking the addition back removes its websites alone, and not what was added or removed since', async () => {
  const { token } = await person(server);
  const others = ['https://a.example', 'https://b.example'];
  await choose(token, { notification_origins: [mail, chat] });
  server.clock.turn(1000);
  await choose(token, { notification_origins: [chat, ...others] });
  const entries = async () => {
    const { items } = (await server.call('GET /web/acts', { token })).body as unknown as {
      items: { kind: string; undo: { choice: { notification_origins: string[] } } | null }[];
    };
    return items.filter(({ kind }) => kind === 'notifications_allowed').map(({ undo }) => undo?.choice.notification_origins);
  };
  expect(await entries()).toEqual([[chat], others]);
  await choose(token, { notification_origins: others });
  expect(await entries()).toEqual([[], undefined]);
});

test('[P15.5] while an incident is open an addition waits for a yes and a removal does not, and a later no takes back the addition alone', async () => {
  const ann = await incidentFamily(server);
  const scam = 'https://scam.example';
  const policy = () => policyOf(server, ann.device.agent);
  await choose(ann.token, { notification_origins: [mail, chat] });
  await ann.stops();
  expect(await choose(ann.token, { notification_origins: [chat] })).toMatchObject({ status: 200 });
  const add = () => choose(ann.token, { notification_origins: [chat, scam] });
  const { status, body } = await add();
  expect([status, body.code]).toEqual([409, 'held']);
  expect((await ann.asBob('GET /guardian/:id')).body.requests).toMatchObject([
    { wants: ['Ann wants to let scam.example send pop-up messages.'] },
  ]);
  // The computer lets none of them send any while the policy is locked.
  expect(await policy()).toMatchObject({ lock: true, browsers: true, notification_origins: [chat] });
  expect((await ann.answer(body.request, 'yes')).status).toBe(200);
  expect((await add()).body.notification_origins).toEqual([chat, scam]);
  expect(await policy()).toMatchObject({ notification_origins: [chat, scam] });
  expect((await ann.answer(body.request, 'no')).body).toMatchObject({ state: 'undone' });
  expect(await policy()).toMatchObject({ notification_origins: [chat] });
});

/** PostgreSQL sets `xmin` of a row at each write, also if no value changes. */
async function rowVersions(): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select 'choice ' || account || ' ' || xmin as row from browsing_protection
    union all select 'device ' || uuid || ' ' || xmin from devices order by 1`.execute(server.db);
  return rows.map(({ row }) => row);
}
