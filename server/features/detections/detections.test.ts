import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Detection, FourParts } from '@porchlight/contract/detections.ts';
import { minute } from '@porchlight/contract/time.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';
import { alertFor } from './rules.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer(
    {},
    readCatalogue().map((one) => (one.identifier === 'anydesk' ? { ...one, help } : one)),
  );
});
afterAll(() => server.close());

const help = {
  what_it_is: 'AnyDesk lets someone else see and use this computer from far away. Scammers on the phone ask for it.',
  what_to_do: 'Hang up if someone on the phone asked for this. Do not call back the number they gave.',
};
const report = (agent: string, ...detections: ReportedDetection[]) =>
  server.call('POST /agent/detections', { token: agent, body: { detections } });
const history = async (token: string, query = '') =>
  (await server.call(`GET /web/detections${query}`, { token })).body.items as unknown as Record<string, { times: number }>[];
const alertsTo = async (email: string) => (await server.mailsTo(email)).filter((mail) => /blocked/i.test(mail.subject));

test('[1.3, P5.3] a detection emails holder and active guardians once: who, which device, what, blocked, when and advice', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const bob = await activeGuardian(server, token, 'Bob');
  await server.call('POST /web/create-guardian', { token, body: { name: 'Carol', email: 'carol-pending@example.org' } });
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const newDetection = detection(server, { certainty: 'certain' });
  expect((await report(agent, newDetection)).body).toEqual({ stored: [newDetection.uuid] });

  const [annsEmail, ...annsOtherEmails] = await alertsTo(email);
  const [bobsEmail, ...bobsOtherEmails] = await alertsTo(bob.email);
  expect([annsOtherEmails, bobsOtherEmails]).toEqual([[], []]);
  expect(annsEmail?.subject).toBe('AnyDesk was blocked on Den PC');
  expect(bobsEmail?.subject).toBe('Ann may need you: AnyDesk was blocked on Den PC');
  for (const mail of [annsEmail, bobsEmail]) {
    for (const expectedText of [
      'What happened',
      'What we did',
      'Is it over?',
      'What to do now',
      'AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21',
      'hang up',
      'You did nothing wrong',
    ]) {
      expect(mail?.text.toLowerCase()).toContain(expectedText.toLowerCase());
    }
    expect(mail?.text.split(/https?:/)[0]?.split(/\s+/).length).toBeLessThan(90);
  }
  // Emails have advice before the explanation, and the holder gets more advice when the device's user is unknown.
  expect(bobsEmail?.text).toContain('AnyDesk lets someone else see and use this computer from far away.');
  expect(annsEmail?.text).toContain(`/dashboard/detection/${newDetection.uuid}`);
  expect(bobsEmail?.text).toContain(`/dashboard/guardian/${bob.uuid}/`);
  expect((await server.mailsTo('carol-pending@example.org')).map((m) => m.subject)).toEqual(['Ann asks you to be a guardian']);
});

test('a detection reported repeatedly or simultaneously is stored and notified once', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const newDetection = detection(server);
  await Promise.all([report(agent, newDetection), report(agent, newDetection), report(agent, newDetection, newDetection)]);
  expect((await report(agent, newDetection)).body).toEqual({ stored: [newDetection.uuid] });
  expect(await history(token)).toHaveLength(1);
  expect((await history(token))[0]?.info?.times).toBe(1);
  expect(await alertsTo(email)).toHaveLength(1);
});

test('[P5.3] repeats are counted into an open alert for exactly ten minutes; then a new one opens', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const firstDetection = detection(server);
  await report(agent, firstDetection);
  server.clock.turn(10 * minute - 1);
  const secondDetection = detection(server);
  await report(agent, secondDetection);
  expect(await history(token)).toMatchObject([
    { uuid: firstDetection.uuid, info: { times: 2, time: firstDetection.time, last_time: secondDetection.time } },
  ]);
  expect(await alertsTo(email)).toHaveLength(1);
  server.clock.turn(1);
  await report(agent, detection(server));
  expect(await history(token)).toHaveLength(2);
  expect(await alertsTo(email)).toHaveLength(2);
});

test('[P5.3] an unblocked detection after a blocked one opens an alert; a blocked one after it is counted', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  await report(agent, detection(server));
  server.clock.turn(minute);
  await report(agent, detection(server, { blocked: false }));
  server.clock.turn(minute);
  await report(agent, detection(server, { blocked: true }));
  const subjects = (await alertsTo(email)).map((mail) => mail.subject).sort();
  expect(subjects).toEqual(['Not blocked: What looks like AnyDesk on Den PC', 'What looks like AnyDesk was blocked on Den PC']);
  expect((await history(token)).map((item) => item.info?.times)).toEqual([2, 1]);
});

test('[P5.3] emails about unblocked or likely detections differ from those about certainly blocked ones', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const bob = await activeGuardian(server, token, 'Bob');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  await report(agent, detection(server, { blocked: false, certainty: 'likely' }));
  const [[annsEmail], [bobsEmail]] = [await alertsTo(email), await alertsTo(bob.email)];
  expect(bobsEmail?.subject).toBe('Call Ann now: What looks like AnyDesk was not blocked on Den PC');
  for (const expectedText of ['What looks like AnyDesk was started on Den PC', 'We did not stop it.', 'No. Someone may be using']) {
    expect(annsEmail?.text).toContain(expectedText);
    expect(bobsEmail?.text).toContain(expectedText);
  }
  expect(bobsEmail?.text).toContain(
    'Call Ann now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off.',
  );
  await report(agent, detection(server, { identifier: 'bad-bank', name: 'Bad Bank', category: 'ScamWebsite', certainty: 'certain' }));
  expect((await alertsTo(bob.email))[0]?.text).toContain('Call Ann now. Say: “You did nothing wrong. Hang up, and close that page.');
});

test('a site of a remote-control program is announced as a page, not as a program', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const page = { name: 'anydesk.com', details: 'anydesk.com', certainty: 'certain' } as const;
  await report(agent, ...Array.from({ length: 50 }, () => detection(server, page)));
  const [mail, ...otherEmails] = await alertsTo(email);
  expect(otherEmails).toEqual([]);
  expect(mail?.subject).toBe('anydesk.com was blocked on Den PC');
  expect(mail?.text).toContain('Something on Den PC tried to open a page of anydesk.com at ');
  expect(mail?.text).toContain('We kept it from opening.');
  expect(await history(token)).toMatchObject([
    { info: { site: true, times: 50 }, explanation: { what_happened: expect.stringContaining('tried to open a page of anydesk.com.') } },
  ]);
  server.clock.turn(1);
  await report(agent, detection(server, { ...page, blocked: false }));
  expect((await history(token))[0]).toMatchObject({ explanation: { is_it_over: 'No. It may still be open.' } });
});

test('late detections are grouped by when they happened, not by when they arrived', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  server.clock.turn(301 * minute);
  const detectedAgo = (m: number) => detection(server, { time: new Date(server.clock.now().getTime() - m * minute).toISOString() });
  await report(agent, detectedAgo(300), detectedAgo(10), detectedAgo(295), detectedAgo(0), detectedAgo(299));
  expect((await history(token)).map((item) => item.info?.times)).toEqual([1, 1, 3]);
  expect(await alertsTo(email)).toHaveLength(3);
});

test('a detection with a time in the future gets the current time', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  await report(agent, detection(server, { time: '2031-01-01T00:00:00.000Z' }));
  expect(await history(token)).toMatchObject([{ info: { time: server.clock.now().toISOString() } }]);
});

test('[3.12] [7.15] an alert has four parts, and can be read by the id of any detection counted into it', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC');
  const [firstDetection, secondDetection] = [detection(server), detection(server)];
  await report(agent, firstDetection, secondDetection);
  for (const id of [firstDetection.uuid, secondDetection.uuid]) {
    const { body } = await server.call(`GET /web/detections/${id}`, { token });
    expect(body).toMatchObject({
      device_id: uuid,
      info: { name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl', blocked: true, details: '/tmp/AnyDesk' },
    });
    expect(String(body.explanation?.what_happened)).toMatch(/^What looks like AnyDesk was started on Den PC\. .{20,}/);
    expect(body.explanation?.is_it_over).toBe('Not while someone is on the phone with you. If anyone opens it again, we’ll stop it again.');
    expect(body.helptext).toEqual({ name: 'AnyDesk', warning_markdown: body.explanation?.what_to_do });
    expect(String(body.helptext?.warning_markdown).length).toBeGreaterThan(20);
  }
});

test('[7.16] [9.8] the history of alerts is newest first, 25 per page, for one device or all', async () => {
  const { token } = await person(server);
  const [a, b] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  for (let i = 0; i < 30; i++) {
    server.clock.turn(11 * minute);
    await report(i % 3 ? a.agent : b.agent, detection(server));
  }
  const allItems = await history(token);
  expect(allItems).toHaveLength(25);
  const times = allItems.map((item) => String((item.info as unknown as { time: string }).time));
  expect(times).toEqual(times.toSorted().reverse());
  expect(await history(token, '?offset=25')).toHaveLength(5);
  expect(await history(token, `?offset=0&length=25&device=${b.uuid}`)).toHaveLength(10);
  expect((await server.call('GET /web/detections?length=1000', { token })).status).toBe(422);
});

test("another account's alerts and devices are not visible", async () => {
  const [a, b] = [await person(server), await person(server)];
  const { agent, uuid } = await linkedDevice(server, a.token);
  const newDetection = detection(server);
  await report(agent, newDetection);
  expect((await server.call(`GET /web/detections/${newDetection.uuid}`, { token: b.token })).status).toBe(404);
  expect((await server.call(`GET /web/detections?device=${uuid}`, { token: b.token })).status).toBe(404);
  expect(await history(b.token)).toEqual([]);
});

test('a device shows its last detection, and removing it deletes its alerts', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  // Removing a device waits for a yes while an incident is open, so this is no remote-control program.
  const deceptive = () => detection(server, { category: 'DeceptiveUtility' });
  const newDetection = deceptive();
  await report(agent, newDetection, deceptive());
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body).toMatchObject({ last_detection: newDetection.time });
  expect((await server.call(`DELETE /web/devices/${uuid}`, { token })).status).toBe(200);
  expect(await history(token)).toEqual([]);
});

test('HTML in a name is escaped in the email', async () => {
  const { token, email } = await person(server, '<b>Ann');
  const { agent } = await linkedDevice(server, token, '<img src=x onerror=alert(1)>');
  await report(agent, detection(server));
  const [mail] = await alertsTo(email);
  expect(mail?.html).not.toMatch(/<img|<b>Ann/);
});

test.each([
  ['nothing is open', [], null],
  ['one is open', [{ uuid: 'a', time: 9, blocked: true }], 'a'],
  ['exactly ten minutes ago', [{ uuid: 'a', time: 10, blocked: true }], null],
  [
    'the newest of two',
    [
      { uuid: 'a', time: 9, blocked: true },
      { uuid: 'b', time: 3, blocked: true },
    ],
    'b',
  ],
])('the alert that a detection is counted into: %s', (_what, openAlerts, expected) => {
  const now = new Date('2026-11-21T12:00:00Z');
  const nearbyAlerts = openAlerts.map((o) => ({
    ...{ uuid: o.uuid, blocked: o.blocked, site: false },
    time: new Date(now.getTime() - o.time * minute),
  }));
  expect(alertFor({ time: now, blocked: true, site: false }, nearbyAlerts)).toBe(expected);
});

test('[P5.3] a program that starts after its download site was blocked has an alert and an email of its own, and another visit does not', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const site = { name: 'anydesk.com', details: 'anydesk.com', certainty: 'certain' } as const;
  await report(agent, detection(server, site));
  server.clock.turn(minute);
  await report(agent, detection(server, { certainty: 'certain' }));
  server.clock.turn(minute);
  await report(agent, detection(server, site), detection(server, { certainty: 'certain' }));
  expect((await alertsTo(email)).map(({ subject }) => subject)).toEqual([
    'AnyDesk was blocked on Den PC',
    'anydesk.com was blocked on Den PC',
  ]);
  expect((await history(token)).map(({ info }) => info?.times)).toEqual([3, 1]);
});

test("an alert uses the definition's texts, shortened for emails, and general texts when the definition was removed", async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token, 'Bob');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  await report(
    agent,
    detection(server, { certainty: 'certain' }),
    detection(server, { identifier: 'gone', name: 'Gone', certainty: 'certain' }),
  );
  const items = (await server.call('GET /web/detections', { token })).body.items as unknown as Detection[];
  const page = (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body.alerts as unknown as Detection[];
  const guardianAlerts = page.map((one) => one as unknown as { name: string; explanation: FourParts });
  for (const alerts of [items.map(({ info, explanation }) => ({ name: info.name, explanation })), guardianAlerts]) {
    const [currentParts, removedParts] = ['AnyDesk', 'Gone'].map((name) => alerts.find((alert) => alert.name === name)?.explanation);
    expect(currentParts?.what_happened).toContain(help.what_it_is);
    expect(removedParts?.what_happened).toContain('A program like this lets someone else see and use the computer.');
    // The definition's advice is for the computer's user; guardians are advised to call.
    const call = alerts === guardianAlerts && expect.stringMatching(/^Call Ann\./);
    expect(currentParts?.what_to_do).toEqual(call || help.what_to_do);
    expect(removedParts?.what_to_do).toEqual(call || expect.stringContaining('If someone on the phone asked for this, hang up.'));
  }
  const texts = (await alertsTo(email)).map((mail) => mail.text);
  for (const name of ['AnyDesk', 'Gone'])
    expect(texts.find((text) => text.includes(name))).toContain(
      'If someone is on the phone with you, hang up now. If someone else uses it, call them: “You did nothing wrong. Hang up. I’m with you.”',
    );
});
