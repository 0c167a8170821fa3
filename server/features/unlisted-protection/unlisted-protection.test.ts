import { unlistedDefaults } from '@porchlight/contract/unlisted-protection.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { statementsOf } from '../../testing/statements.ts';
import { activeGuardian, linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const path = '/web/unlisted-protection';
const get = async (token: string) => (await server.call(`GET ${path}`, { token })).body;
const choose = (token: string, body: object) => server.call(`PATCH ${path}`, { token, body });
const wordsOf = async (token: string) => {
  const { items } = (await server.call('GET /web/acts', { token })).body as unknown as { items: { kind: string; words: string }[] };
  return items.filter(({ kind }) => kind === 'unlisted_off').map(({ words }) => words);
};

test('[P12.3] a new account asks about new programs in incidents and has all of it on; each part is changed alone and stored', async () => {
  const { token } = await newcomer(server);
  expect(await get(token)).toEqual(unlistedDefaults);
  expect((await choose(token, { new_programs: 'always' })).body).toEqual({ ...unlistedDefaults, new_programs: 'always' });
  expect((await choose(token, { money_sites: ['bank.example'] })).body).toMatchObject({
    new_programs: 'always',
    money_sites: ['bank.example'],
  });
  expect((await choose(token, {})).body).toEqual({ ...unlistedDefaults, new_programs: 'always', money_sites: ['bank.example'] });
  expect(await get(token)).toEqual({ ...unlistedDefaults, new_programs: 'always', money_sites: ['bank.example'] });
});

test('[P12.6] a website that is none, has capitals or www, comes twice, or is the twenty-first, is refused and changes nothing', async () => {
  const { token } = await newcomer(server);
  const sites = Array.from({ length: 21 }, (_, n) => `bank-${n}.example`);
  for (const money_sites of [
    ['bank'],
    ['Bank.example'],
    ['www.bank.example'],
    ['https://bank.example/'],
    ['bank.example', 'bank.example'],
    sites,
    'bank.example',
    [1],
  ]) {
    for (const part of ['money_sites', 'money_open'])
      expect((await choose(token, { [part]: money_sites })).status, JSON.stringify(money_sites)).toBe(422);
  }
  expect((await choose(token, { new_programs: 'never' })).status).toBe(422);
  expect(await get(token)).toEqual(unlistedDefaults);
  expect((await choose(token, { money_sites: sites.slice(1) })).status).toBe(200);
});

test('[P12.6] a website that computers depend on is refused as a bank, in words, and changes nothing; a bank is not', async () => {
  const { token } = await newcomer(server);
  for (const site of ['google.com', 'login.live.com', 'github.io', 'co.uk']) {
    const { status, body } = await choose(token, { money_sites: ['bank.example', site] });
    expect([status, body.code], site).toEqual([422, 'site_needed']);
  }
  expect(await get(token)).toEqual(unlistedDefaults);
  const banks = ['bank.example', 'chase.com', 'secure.chase.com', 'ann.github.io'];
  expect((await choose(token, { money_sites: banks })).body.money_sites).toEqual(banks);
  // A site that never rests stops nothing.
  expect((await choose(token, { money_open: ['google.com'] })).status).toBe(200);
});

test('[P12.3] [P12.4] [P12.5] [P12.6] the policy follows the profile, the plan and the choice, and each change is one new version', async () => {
  const { token, email } = await person(server);
  await activeGuardian(server, token);
  const [strict, permissive] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B', 'permissive')];
  const unlisted = async ({ agent }: { agent: string }) => (await policyOf(server, agent)).unlisted;
  const money = { unanswered: false, sites: [], open: [] };
  const none = { paused_sites: 'press', young_sites: false, answers: [] };
  expect(await unlisted(strict)).toEqual({ ...none, pasted_commands: 'block', new_programs: 'incident', doors: 'block', money });
  expect(await unlisted(permissive)).toEqual({ ...none, pasted_commands: 'alert', new_programs: 'count', doors: 'alert', money: null });
  const { version } = await policyOf(server, strict.agent);
  await choose(token, { money_sites: ['bank.example'], money_open: ['work.example'], new_programs: 'always', doors: false });
  expect(await policyOf(server, strict.agent)).toMatchObject({
    version: version + 1,
    unlisted: {
      pasted_commands: 'block',
      new_programs: 'always',
      doors: 'ignore',
      money: { ...money, sites: ['bank.example'], open: ['work.example'] },
    },
  });
  await choose(token, { money_pages: false, pasted_commands: false });
  expect(await unlisted(strict)).toMatchObject({ pasted_commands: 'ignore', money: null });
  await buyers(() => server).endPlan(email);
  expect(await unlisted(strict)).toEqual({ ...none, pasted_commands: 'ignore', new_programs: 'count', doors: 'ignore', money: null });
});

test('[P10.4] each weakened part is logged in words and notified at once, and strengthening is neither', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  await choose(token, { new_programs: 'always', money_sites: ['bank.example', 'other.example'] });
  expect(await wordsOf(token)).toEqual([]);
  await choose(token, {
    pasted_commands: false,
    new_programs: 'incident',
    doors: false,
    money_pages: false,
    money_sites: [],
    money_open: ['work.example'],
  });
  expect((await wordsOf(token)).toSorted()).toEqual([
    'Ann turned off asking about every new program.',
    'Ann turned off resting bank.example and other.example.',
    'Ann turned off resting money pages.',
    'Ann turned off resting work.example.',
    'Ann turned off stopping pasted commands.',
    'Ann turned off watching for ways in.',
  ]);
  const subjects = (await server.mailsTo(bob.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith('Ann turned off'))).toHaveLength(6);
  await choose(token, { ...unlistedDefaults, new_programs: 'always' });
  expect(await wordsOf(token)).toHaveLength(6);
});

test('the same choice sent a hundred times writes nothing, wakes no device and logs nothing', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  await choose(token, { doors: false, money_sites: ['bank.example'] });
  const { version } = await policyOf(server, agent);
  const writes = await statementsOf(async () => {
    for (let n = 0; n < 25; n++) {
      const bodies = [{ doors: false }, { money_sites: ['bank.example'] }, {}, { new_programs: 'incident' }];
      for (const { status } of await Promise.all(bodies.map((body) => choose(token, body)))) expect(status).toBe(200);
    }
  });
  expect(writes.filter(({ text }) => /insert into "unlisted_protection"|pg_notify/.test(text))).toEqual([]);
  expect((await policyOf(server, agent)).version).toBe(version);
  expect(await wordsOf(token)).toHaveLength(1);
});
