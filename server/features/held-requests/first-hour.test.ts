import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowedIn, firstHourFamily } from '../../testing/first-hour-family.ts';
import { mumsComputer } from '../../testing/mums-computer.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { detection, fakeAddress, goodPassword, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = (options?: { guardian?: boolean }) => firstHourFamily(server, options);

describe('an allowed program', () => {
  test('[P9.1] is not in the device’s policy for an hour, while a website and a deceptive program are at once; then it is, and is reported for a day', async () => {
    const ann = await family();
    await ann.allowSite('knitting.example');
    await ann.allowProgram('driver-support');
    await ann.allow('anydesk');
    expect(allowedIn(await ann.policy())).toEqual(['driver-support', 'knitting.example']);
    const { version } = await ann.policy();

    server.clock.turn(hour - 1);
    await server.app.worker.idle();
    expect(allowedIn(await ann.policy())).toEqual(['driver-support', 'knitting.example']);
    const allowedAt = server.clock.now().getTime() - hour + 1;
    server.clock.turn(1);
    await server.app.worker.idle();
    const later = await ann.policy();
    // A higher version wakes the agent.
    expect(later.version).toBeGreaterThan(version);
    expect(later.allow).toContainEqual({
      ...{ type: 'definition', identifier: 'anydesk', until: null },
      reported_until: new Date(allowedAt + 24 * hour).toISOString(),
    });
    expect(later.allow.find(({ identifier }) => identifier === 'driver-support')?.reported_until).toBeNull();
    server.clock.turn(23 * hour);
    await server.app.worker.idle();
    expect((await ann.policy()).allow.map(({ reported_until }) => reported_until)).toEqual([null, null, null]);
  });

  test('[P9.1] [P15.2] that starts within the hour waits in the allow list, opens an incident, and asks the guardians once, however often it starts', async () => {
    const ann = await family();
    await ann.allowProgram('driver-support');
    await ann.allow();
    for (let start = 0; start < 5; start++) await ann.stops();
    expect(await ann.incidents()).toMatchObject([{ state: 'open', opener: 'allowed_started' }]);
    const entryOf = async (identifier: string) => (await ann.allowed()).find((entry) => entry.identifier === identifier);
    expect(await entryOf('anydesk')).toMatchObject({ waits: true, asks_until: null, refused: null, until: null });
    expect(await entryOf('driver-support')).toMatchObject({ waits: false, refused: null });
    expect(allowedIn(await ann.policy())).toEqual(['driver-support']);
    const because = 'It started within an hour of being allowed. Scammers do that.';
    expect(await ann.requests()).toMatchObject([
      { state: 'open', wants: ['You want to allow AnyDesk on Den PC.'], because: expect.stringContaining('within an hour') },
    ]);
    const mails = await ann.mails(/Ann wants to allow AnyDesk on Den PC/);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(because);
  });

  test('[P9.1] [P10.1] after a yes it can be started at once, for an hour, and nobody has to ask again; a later no takes that back', async () => {
    const ann = await family();
    await ann.allow();
    await ann.stops();
    const [request] = await ann.requests();
    expect((await ann.answer(request?.uuid, 'yes')).body).toMatchObject({ state: 'done' });
    const until = new Date(server.clock.now().getTime() + hour).toISOString();
    expect((await ann.policy()).allow).toEqual([{ type: 'definition', identifier: 'anydesk', until, reported_until: null }]);
    expect((await ann.answer(request?.uuid, 'no')).status).toBe(200);
    expect((await ann.policy()).allow).toEqual([]);
    expect(await ann.requests()).toMatchObject([{ state: 'undone' }]);
  });

  test('[P10.1] after a no it stays off for a day, and another start asks nobody again', async () => {
    const ann = await family();
    await ann.allow();
    await ann.stops();
    const [request] = await ann.requests();
    await ann.answer(request?.uuid, 'no');
    const mails = await ann.mails(/wants to allow AnyDesk/);
    server.clock.turn(50 * minute);
    await ann.stops();
    expect((await ann.policy()).allow).toEqual([]);
    expect(await ann.requests()).toMatchObject([{ state: 'no' }]);
    expect(await ann.mails(/want(s|ed) to allow AnyDesk/)).toEqual(mails);
    expect(mails).toHaveLength(1);
  });

  test('[P9.1] that starts after the hour opens an incident, stays allowed, and is not asked about', async () => {
    const ann = await family();
    await ann.allow();
    server.clock.turn(hour);
    await ann.stops({ blocked: false });
    expect(await ann.incidents()).toMatchObject([{ opener: 'allowed_started' }]);
    expect(await ann.requests()).toEqual([]);
    expect(allowedIn(await ann.policy())).toEqual(['anydesk']);
  });

  test('[P9.1] is allowed at once where there is no guardian, and asked about where one was removed yesterday', async () => {
    const alone = await family({ guardian: false });
    await alone.allow();
    expect(allowedIn(await alone.policy())).toEqual(['anydesk']);
    await alone.stops({ blocked: false });
    expect(await alone.requests()).toEqual([]);
    expect(await alone.incidents()).toMatchObject([{ opener: 'allowed_started' }]);

    const ann = await family();
    await ann.call(`DELETE /web/guardians/${ann.bob?.uuid}`);
    server.clock.turn(24 * hour);
    await ann.allow();
    expect(allowedIn(await ann.policy())).toEqual([]);
  });

  test('[P9.1] is allowed at once after a yes, and asked about no more than other requests', async () => {
    const ann = await family();
    await ann.stops();
    const refused = await ann.allow();
    await ann.answer((refused.body as unknown as { request: string }).request, 'yes');
    expect((await ann.allow()).status).toBe(200);
    const { allow } = await ann.policy();
    expect(allow).toMatchObject([{ identifier: 'anydesk', reported_until: null }]);
  });

  test('[P10.1] is allowed at once for the holder of somebody else’s computer, who is elsewhere and gave the password, and opens nothing', async () => {
    const ann = await family();
    const call = (key: string, body: object) => server.call(key, { token: ann.token, body, headers: { 'x-forwarded-for': fakeAddress() } });
    const { uuid, agent } = await mumsComputer(server, ann.token, fakeAddress());
    const allow = () => call(`POST /web/devices/${uuid}/v2/exceptions`, { type: 'definition', identifier: 'anydesk', lasts: null });
    await call('POST /web/reauthenticate', { password: goodPassword });
    expect((await allow()).status).toBe(200);
    expect(await policyOf(server, agent)).toMatchObject({ allow: [{ identifier: 'anydesk', reported_until: null }] });
    const reported: ReportedDetection = detection(server, { blocked: false });
    await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
    expect(await ann.incidents()).toEqual([]);
  });
});

describe('a weaker profile', () => {
  test('[P9.1] still stops remote control for an hour, and nothing else', async () => {
    const ann = await family();
    await ann.weaker();
    expect(await ann.policy()).toMatchObject({
      ...{ policy: { uuid: 'permissive' }, block_likely: true },
      actions: { RemoteControl: 'block', DeceptiveUtility: 'alert', ScamWebsite: 'block' },
    });
    server.clock.turn(hour);
    await server.app.worker.idle();
    expect(await ann.policy()).toMatchObject({ block_likely: false, actions: { RemoteControl: 'alert' } });
  });

  test('[P9.1] is taken back by a start within the hour, which asks the guardians; a yes allows that program alone, for an hour', async () => {
    const ann = await family();
    await ann.weaker();
    await ann.stops({ identifier: 'teamviewer', name: 'TeamViewer' });
    expect(await ann.profile()).toBe('strict');
    expect(await ann.incidents()).toMatchObject([{ opener: 'weaker_started' }]);
    const [request] = await ann.requests();
    expect(request?.wants).toEqual(['You want to allow TeamViewer on Den PC.']);
    await ann.answer(request?.uuid, 'yes');
    expect(await ann.profile()).toBe('strict');
    expect(allowedIn(await ann.policy())).toEqual(['teamviewer']);
  });

  test('[P9.1] that ignores remote control reports it for a day', async () => {
    const ann = await family({ guardian: false });
    const actions = { RemoteControl: 'ignore', DeceptiveUtility: 'block', ScamWebsite: 'block' };
    const own = await ann.call('POST /web/policies', { name: 'Grandson helps', actions });
    await ann.call(`POST /web/devices/${ann.device.uuid}`, { name: 'Den PC', policy: String(own.body.uuid) });
    expect((await ann.policy()).actions.RemoteControl).toBe('alert');
    server.clock.turn(24 * hour);
    await server.app.worker.idle();
    expect((await ann.policy()).actions.RemoteControl).toBe('ignore');
  });
});

test('reports and weakening calls of one account at the same time wait for each other, and none fails', async () => {
  const ann = await family();
  await ann.allow();
  const calls = Array.from({ length: 10 }, (_, n) => [ann.stops(), ann.allowSite(`site-${n}.example`), ann.weaker()]).flat();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
});

test('[P9.1] the email about an allowed program says that a start is asked about for an hour, and that about a website or without a guardian does not', async () => {
  const [ann, other] = [await family(), await family()];
  await other.allowSite('anydesk.com');
  await ann.allow();
  const [site] = await other.mails(/allowed anydesk\.com/);
  const [program] = await ann.mails(/allowed AnyDesk/);
  expect(program?.text).toContain('For an hour we still stop it, and ask you if it starts.');
  expect(site?.text).not.toContain('For an hour');
  expect(site?.text).toContain('Anyone can use it on that computer now');
  expect(program?.text).toContain('If it does not start, anyone can use it there after that, scammers included.');
  const [own] = (await server.mailsTo(ann.email)).filter(({ subject }) => subject === 'You allowed AnyDesk on Den PC');
  expect(own?.text).toContain('ask your guardians if it starts');
  const alone = await family({ guardian: false });
  await alone.allow();
  const [mail] = (await server.mailsTo(alone.email)).filter(({ subject }) => /allowed AnyDesk/.test(subject));
  expect(mail?.text).toContain('Anyone can use it on that computer now');
});

test.each([
  ['hour', 'For an hour we still stop it, and ask you if it starts. After that it is no longer allowed.'],
  ['today', 'If it does not start, anyone can use it there after that until midnight, scammers included.'],
])('[P9.1] the email about a program that was allowed for %s says what is so after the first hour', async (lasts, sentence) => {
  const ann = await family();
  await ann.call(`POST /web/devices/${ann.device.uuid}/v2/exceptions`, { type: 'definition', identifier: 'anydesk', lasts });
  const [mail] = await ann.mails(/allowed AnyDesk/);
  expect(mail?.text.replace(/\s+/g, ' ')).toContain(sentence);
});
