import { randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentInfo } from '../testing/agent-info.ts';
import { incidentFamily } from '../testing/incident-family.ts';
import { activeGuardian, agreeToChanges, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Family = Awaited<ReturnType<typeof incidentFamily>>;

/** Subject and text of the newest email to Bob. */
const bobReads = async (ann: Family) => {
  const [mail] = await server.mailsTo(ann.bob?.email ?? '');
  return `${mail?.subject}\n${mail?.text}`;
};
const renamesDevice = (ann: Family, name: string) => ann.call(`POST /web/devices/${ann.device.uuid}`, { name, policy: 'strict' });
const renamesAnn = (ann: Family, name: string) => ann.call('PATCH /web/profile', { name });

test.each([
  'Den PC\n\nUPDATE from Porchlight: all is well',
  'Den\u0007PC',
  'Den \u202ePC',
  '\u200b',
  'PC - go to https://porch-light.help/now',
  'PC porch-light.help',
  'mail help@porch.example',
])('[P18.1] the computer’s or the profile’s new name %j is refused, and nothing changes', async (name) => {
  const ann = await incidentFamily(server);
  const refused = { status: 422, body: { fields: [{ field: 'Name' }] } };
  expect(await renamesDevice(ann, name)).toMatchObject(refused);
  expect(await ann.call('POST /web/create-device', { name, policy: null })).toMatchObject(refused);
  const actions = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' };
  expect(await ann.call('POST /web/policies', { name, actions })).toMatchObject(refused);
  expect((await ann.call(`GET /web/devices/${ann.device.uuid}`)).body.name).toBe('Den PC');
});

test.each(['Ann\nB', '\u202eAnn', '\u2800', 'Ann\u2066'])('[P18.1] a new name of a person %j is refused', async (name) => {
  const ann = await incidentFamily(server);
  expect(await renamesAnn(ann, name)).toMatchObject({ status: 422 });
  expect(await ann.call('POST /web/create-guardian', { name, email: 'eve@example.org' })).toMatchObject({ status: 422 });
});

test.each(['Kitchen / Ann', 'PC 2024', 'علی\u200cرضا', '👩‍👧 PC', 'False alarm, all is well'])(
  '[P18.1] the computer’s name %j is nobody’s to refuse',
  async (name) => {
    const ann = await incidentFamily(server);
    expect((await renamesDevice(ann, name)).status).toBe(200);
  },
);

describe('a name that was changed', () => {
  test('[P18.1] in an incident is not in messages and questions until it is over, and 72 hours have passed', async () => {
    const ann = await incidentFamily(server);
    await ann.stops();
    expect((await renamesDevice(ann, 'False alarm, all is well')).status).toBe(200);
    expect((await renamesAnn(ann, 'Calm Person')).status).toBe(200);
    await ann.stops({ identifier: 'teamviewer', name: 'TeamViewer' });
    expect(await bobReads(ann)).toMatch(/Ann.*TeamViewer.*Den PC/);
    await ann.allow();
    const question = await bobReads(ann);
    expect(question).toContain('Ann wants to allow AnyDesk on Den PC');
    const page = (await ann.asBob('GET /guardian/:id')).body.requests as unknown as { wants: string[] }[];
    expect(page[0]?.wants).toEqual(['Ann wants to allow AnyDesk on Den PC.']);
    for (const words of ['False alarm', 'Calm']) expect(question).not.toContain(words);

    const [incident] = await ann.incidents();
    await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
    // After a week it is another incident.
    server.clock.turn(8 * 24 * hour);
    await server.mailsTo(ann.bob?.email ?? '');
    server.clock.turn(1000);
    await ann.stops();
    expect(await bobReads(ann)).toMatch(/Calm.*AnyDesk.*False alarm, all is well/);
  });

  test('[P18.1] twice keeps the first name, while it lasts; within a day of its beginning it is no rename', async () => {
    const ann = await incidentFamily(server);
    const { uuid, agent } = await newDevice(ann);
    await ann.call(`POST /web/devices/${uuid}`, { name: 'Attic PC', policy: 'strict' });
    await renamesDevice(ann, 'Den');
    server.clock.turn(71 * hour);
    await renamesDevice(ann, 'Office PC');
    server.clock.turn(71 * hour);
    await agreeToChanges(server);
    await ann.call(`POST /web/devices/${ann.device.uuid}`, { name: 'Office PC', policy: 'permissive' });
    expect(await bobReads(ann)).toContain('Den PC');
    expect(agent).not.toBe('');
    await agreeToChanges(server);
    await ann.call(`POST /web/devices/${uuid}`, { name: 'Attic PC', policy: 'permissive' });
    expect(await bobReads(ann)).toContain('Attic PC');
  });
});

async function newDevice(ann: Family) {
  const { body } = await ann.call('POST /web/create-device', { name: 'New PC', policy: 'strict' });
  const { body: enrolled } = await server.call('POST /agent/enrol', {
    body: { code: body.login_code, info: agentInfo, enrol_id: randomUUID() },
  });
  return { uuid: String(body.uuid), agent: String(enrolled.agent_token) };
}

test('[P18.1] who calls themselves by our name is the account’s owner, and a guardian so called is a guardian', async () => {
  const ann = await incidentFamily(server);
  const carol = await activeGuardian(server, ann.token, 'Microsoft Support');
  server.clock.turn(72 * hour);
  await renamesAnn(ann, 'Porchlight Safety Team');
  server.clock.turn(73 * hour);
  await ann.stops();
  await ann.call('GET /web/bypasspassword');
  expect(await bobReads(ann)).toContain('The account’s owner wants to see the Admin PIN');
  const [mail] = await server.mailsTo(carol.email);
  expect(mail?.text).not.toContain('Microsoft');
  const [incident] = await ann.incidents();
  await server.call(`POST /guardian/${carol.uuid}/incidents/${incident?.uuid}`, { headers: carol.session, body: { answer: 'over' } });
  expect(await bobReads(ann)).toMatch(/A guardian said it’s over|a guardian/);
});
