import { randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Detection, FourParts } from '@porchlight/contract/detections.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementsOf } from '../../testing/statements.ts';
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

/** Short enough for a mail that has room for little. */
const help = {
  what_it_is: 'AnyDesk lets someone else see and use this computer from far away. Scammers on the phone ask for it.',
  what_to_do: 'Hang up if someone on the phone asked for this. Do not call back the number they gave.',
};
const minute = 60_000;
const report = (agent: string, ...detections: ReportedDetection[]) =>
  server.call('POST /agent/detections', { token: agent, body: { detections } });
const history = async (token: string, query = '') =>
  (await server.call(`GET /web/detections${query}`, { token })).body.items as unknown as Record<string, { times: number }>[];
const alertsTo = async (email: string) => (await server.mailsTo(email)).filter((mail) => /blocked/i.test(mail.subject));

test('[1.3, P5.3] a detection tells the holder and each active guardian once: who, which device, what, blocked, when, what to say', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const bob = await activeGuardian(server, token, 'Bob');
  await server.call('POST /web/create-guardian', { token, body: { name: 'Carol', email: 'carol-pending@example.org' } });
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const seen = detection(server, { certainty: 'certain' });
  expect((await report(agent, seen)).body).toEqual({ stored: [seen.uuid] });

  const [toAnn, ...moreToAnn] = await alertsTo(email);
  const [toBob, ...moreToBob] = await alertsTo(bob.email);
  expect([moreToAnn, moreToBob]).toEqual([[], []]);
  expect(toAnn?.subject).toBe('AnyDesk was blocked on Den PC');
  expect(toBob?.subject).toBe('Ann may need you: AnyDesk was blocked on Den PC');
  for (const mail of [toAnn, toBob]) {
    for (const words of [
      'What happened',
      'What we did',
      'Is it over?',
      'What to do now',
      'AnyDesk was started on Den PC at 9:05 AM on Saturday, November 21',
      'hang up',
      'You did nothing wrong',
    ]) {
      expect(mail?.text.toLowerCase()).toContain(words.toLowerCase());
    }
    expect(mail?.text.split(/https?:/)[0]?.split(/\s+/).length).toBeLessThan(90);
  }
  // What to do comes before what it is: where nobody has said who uses the computer, more has to be said to the holder.
  expect(toBob?.text).toContain('AnyDesk lets someone else see and use this computer from far away.');
  expect(toAnn?.text).toContain(`/dashboard/detection/${seen.uuid}`);
  expect(toBob?.text).toContain(`/dashboard/guardian/${bob.uuid}/`);
  expect((await server.mailsTo('carol-pending@example.org')).map((m) => m.subject)).toEqual(['Ann asks you to be a guardian']);
});

test('the same report again, alone, in another batch or at the same time, is stored and told once', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const seen = detection(server);
  await Promise.all([report(agent, seen), report(agent, seen), report(agent, seen, seen)]);
  expect((await report(agent, seen)).body).toEqual({ stored: [seen.uuid] });
  expect(await history(token)).toHaveLength(1);
  expect((await history(token))[0]?.info?.times).toBe(1);
  expect(await alertsTo(email)).toHaveLength(1);
});

test('[P5.3] repeats are counted into the open alert until ten minutes have passed, to the millisecond; then a new one opens', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const first = detection(server);
  await report(agent, first);
  server.clock.turn(10 * minute - 1);
  const second = detection(server);
  await report(agent, second);
  expect(await history(token)).toMatchObject([{ uuid: first.uuid, info: { times: 2, time: first.time, last_time: second.time } }]);
  expect(await alertsTo(email)).toHaveLength(1);
  server.clock.turn(1);
  await report(agent, detection(server));
  expect(await history(token)).toHaveLength(2);
  expect(await alertsTo(email)).toHaveLength(2);
});

test('[P5.3] not blocked after blocked is always told; blocked after not blocked is counted', async () => {
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

test('[P5.3] what was not blocked, and what only looks like a threat, is told in other words than what was blocked for certain', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const bob = await activeGuardian(server, token, 'Bob');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  await report(agent, detection(server, { blocked: false, certainty: 'likely' }));
  const [[toAnn], [toBob]] = [await alertsTo(email), await alertsTo(bob.email)];
  expect(toBob?.subject).toBe('Call Ann now: What looks like AnyDesk was not blocked on Den PC');
  for (const words of ['What looks like AnyDesk was started on Den PC', 'We saw it but did not stop it.', 'No. Someone may be using']) {
    expect(toAnn?.text).toContain(words);
    expect(toBob?.text).toContain(words);
  }
  expect(toBob?.text).toContain(
    'Call Ann now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and turn the computer off.',
  );
  await report(agent, detection(server, { identifier: 'bad-bank', name: 'Bad Bank', category: 'ScamWebsite', certainty: 'certain' }));
  expect((await alertsTo(bob.email))[0]?.text).toContain(
    'Call Ann now. A scammer may be on the phone. Say: “You did nothing wrong. Hang up, and close that page.',
  );
});

test('a site that belongs to a family of programs is told as a page, and not as a program that was started', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const page = { name: 'anydesk.com', details: 'anydesk.com', certainty: 'certain' } as const;
  await report(agent, ...Array.from({ length: 50 }, () => detection(server, page)));
  const [mail, ...more] = await alertsTo(email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('anydesk.com was blocked on Den PC');
  expect(mail?.text).toContain('Something on Den PC tried to open a page of anydesk.com at ');
  expect(mail?.text).toContain('We kept the page from opening.');
  expect(await history(token)).toMatchObject([
    { info: { site: true, times: 50 }, parts: { what_happened: expect.stringContaining('tried to open a page of anydesk.com.') } },
  ]);
  server.clock.turn(1);
  await report(agent, detection(server, { ...page, blocked: false }));
  expect((await history(token))[0]).toMatchObject({ parts: { is_it_over: 'No. It may still be open.' } });
});

test('what arrives late is grouped by when it happened, not by when it came', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  server.clock.turn(301 * minute);
  const at = (m: number) => detection(server, { time: new Date(server.clock.now().getTime() - m * minute).toISOString() });
  await report(agent, at(300), at(10), at(295), at(0), at(299));
  expect((await history(token)).map((item) => item.info?.times)).toEqual([1, 1, 3]);
  expect(await alertsTo(email)).toHaveLength(3);
});

test('a device whose clock runs ahead reports nothing from the future', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  await report(agent, detection(server, { time: '2031-01-01T00:00:00.000Z' }));
  expect(await history(token)).toMatchObject([{ info: { time: server.clock.now().toISOString() } }]);
});

test('[3.12] [7.15] an alert is told in four parts, and is found by the id of any detection counted into it', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC');
  const [first, second] = [detection(server), detection(server)];
  await report(agent, first, second);
  for (const id of [first.uuid, second.uuid]) {
    const { body } = await server.call(`GET /web/detections/${id}`, { token });
    expect(body).toMatchObject({
      device_id: uuid,
      info: { name: 'AnyDesk', identifier: 'anydesk', category: 'RemoteControl', blocked: true, details: '/tmp/AnyDesk' },
    });
    expect(String(body.parts?.what_happened)).toMatch(/^A program that looks like AnyDesk was started on Den PC\. .{20,}/);
    expect(String(body.parts?.is_it_over)).toMatch(/^Yes/);
    expect(body.helptext).toEqual({ name: 'AnyDesk', warning_markdown: body.parts?.what_to_do });
    expect(String(body.helptext?.warning_markdown).length).toBeGreaterThan(20);
  }
});

test('[7.16] [9.8] the history is newest first, 25 at a time, of one device or of all', async () => {
  const { token } = await person(server);
  const [a, b] = [await linkedDevice(server, token, 'A'), await linkedDevice(server, token, 'B')];
  for (let i = 0; i < 30; i++) {
    server.clock.turn(11 * minute);
    await report(i % 3 ? a.agent : b.agent, detection(server));
  }
  const all = await history(token);
  expect(all).toHaveLength(25);
  const times = all.map((item) => String((item.info as unknown as { time: string }).time));
  expect(times).toEqual(times.toSorted().reverse());
  expect(await history(token, '?offset=25')).toHaveLength(5);
  expect(await history(token, `?offset=0&length=25&device=${b.uuid}`)).toHaveLength(10);
  expect((await server.call('GET /web/detections?length=1000', { token })).status).toBe(422);
});

test("someone else's alerts and devices are not there", async () => {
  const [a, b] = [await person(server), await person(server)];
  const { agent, uuid } = await linkedDevice(server, a.token);
  const seen = detection(server);
  await report(agent, seen);
  expect((await server.call(`GET /web/detections/${seen.uuid}`, { token: b.token })).status).toBe(404);
  expect((await server.call(`GET /web/detections?device=${uuid}`, { token: b.token })).status).toBe(404);
  expect(await history(b.token)).toEqual([]);
});

test('the device shows when its last detection was, and a removed device takes its alerts along', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const seen = detection(server);
  await report(agent, seen, detection(server));
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body).toMatchObject({ last_detection: seen.time });
  expect((await server.call(`DELETE /web/devices/${uuid}`, { token })).status).toBe(200);
  expect(await history(token)).toEqual([]);
});

test('a name with HTML in it stays text in the mail', async () => {
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
])('counted into which alert: %s', (_what, open, expected) => {
  const now = new Date('2026-11-21T12:00:00Z');
  const nearby = open.map((o) => ({ uuid: o.uuid, blocked: o.blocked, time: new Date(now.getTime() - o.time * minute) }));
  expect(alertFor({ time: now, blocked: true }, nearby)).toBe(expected);
});

test('a report of nothing, of a stranger or of 101 at once is refused', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  expect((await report(agent)).status).toBe(422);
  expect((await report(token, detection(server))).status).toBe(401);
  expect((await report(agent, ...Array.from({ length: 101 }, () => detection(server, { uuid: randomUUID() })))).status).toBe(422);
});

test('an alert says what the family is and what to do in its own words, as far as a short mail has room, and general words for one that is gone', async () => {
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
  const theirs = page.map((one) => one as unknown as { name: string; parts: FourParts });
  for (const alerts of [items.map(({ info, parts }) => ({ name: info.name, parts })), theirs]) {
    const [own, gone] = ['AnyDesk', 'Gone'].map((name) => alerts.find((alert) => alert.name === name)?.parts);
    expect(own?.what_happened).toContain(help.what_it_is);
    expect(gone?.what_happened).toContain('A program like this lets someone else see and use the computer.');
    // What to do is the definition's for whoever sits there; a guardian calls them.
    const call = alerts === theirs && expect.stringMatching(/^Call Ann\./);
    expect(own?.what_to_do).toEqual(call || help.what_to_do);
    expect(gone?.what_to_do).toEqual(call || expect.stringContaining('If someone on the phone asked for this, hang up.'));
  }
  const texts = (await alertsTo(email)).map((mail) => mail.text);
  for (const name of ['AnyDesk', 'Gone'])
    expect(texts.find((text) => text.includes(name))).toContain(
      'If someone is on the phone, hang up now. If someone else uses this computer, call and say:',
    );
});

test('a report of many detections is stored by as many statements as a report of one, the same detection twice in it once', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const readsOf = async (...detections: ReportedDetection[]) => {
    const statements = await statementsOf(async () => expect((await report(agent, ...detections)).status).toBe(200));
    return statements.filter(({ text }) => text.includes('from "detections"')).length;
  };
  const one = await readsOf(detection(server));
  const many = Array.from({ length: 40 }, (_, n) =>
    detection(server, { identifier: `family-${n % 2}`, time: new Date(server.clock.now().getTime() - n * 1000).toISOString() }),
  );
  const twice = many[0] ?? expect.unreachable();
  expect(await readsOf(...many, twice)).toBe(one);
  expect(await readsOf(...many)).toBe(1);
  const { items } = (await server.call('GET /web/detections', { token })).body as unknown as { items: Detection[] };
  expect(items.map(({ info }) => [info.identifier, info.times]).toSorted()).toEqual([
    ['anydesk', 1],
    ['family-0', 20],
    ['family-1', 20],
  ]);
});

test('detections from before the computer was linked keep the order in which the device reported them', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const names = Array.from({ length: 9 }, (_, n) => `Thing ${n}`);
  const yesterday = server.clock.now().getTime() - 86_400_000;
  const times = names.map((_, n) => new Date(yesterday + n * 1000).toISOString());
  await report(agent, ...names.map((name, n) => detection(server, { name, identifier: `thing-${n}`, time: times[n] ?? '' })));
  const items = (await server.call('GET /web/detections', { token })).body.items as unknown as Detection[];
  expect(items.map(({ info }) => info.name)).toEqual(names.toReversed());
  expect(items.every(({ info }) => new Date(info.time) <= server.clock.now())).toBe(true);
});

test('two computers that give their detections the same ids have alerts and repeats of their own', async () => {
  const { token } = await person(server);
  const [den, attic] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Attic PC')];
  const first = detection(server);
  await report(den.agent, first);
  server.clock.turn(1);
  const there = { ...first, time: server.clock.now().toISOString() };
  await report(attic.agent, there);
  server.clock.turn(minute);
  const repeat = detection(server);
  await report(den.agent, repeat);
  const infos = (await history(token)).map(({ info }) => info);
  expect(infos).toMatchObject([
    { times: 1, last_time: there.time },
    { times: 2, last_time: repeat.time },
  ]);
});
