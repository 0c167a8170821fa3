import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, guardianSession, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const pathIn = (header: string | null | undefined) => /^<http:\/\/localhost:4380(\/api\/unsubscribe\/[^>]+)>/.exec(header ?? '')?.[1] ?? '';
const until = 'You will get no more emails about Ann once this is over. Until then you do, because Ann may need you.';

/** Ann, whose guardians Bob and Carol get emails only, and may answer. */
async function family() {
  const { token, email } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  const bob = await activeGuardian(server, token, 'Bob Example');
  server.clock.turn(25 * hour);
  const carol = await activeGuardian(server, token, 'Carol Example');
  server.clock.turn(72 * hour);
  const stops = (identifier = 'anydesk') =>
    server.call('POST /agent/detections', {
      token: device.agent,
      body: { detections: [detection(server, { identifier, name: identifier })] },
    });
  const subjects = async (address: string) => (await server.mailsTo(address)).map(({ subject }) => subject);
  return {
    ...{ token, email, device, bob, carol, stops, subjects },
    /** Counts the emails that `work` sends to Bob and Carol. */
    async mailsOf(work: () => Promise<unknown>) {
      const count = async () => [(await subjects(bob.email)).length, (await subjects(carol.email)).length] as const;
      const [bobsBefore, carolsBefore] = await count();
      await work();
      const [bobs, carols] = await count();
      return { bob: bobs - bobsBefore, carol: carols - carolsBefore };
    },
    /** Bob's email program posts the link of his newest alert, or opens its page. */
    async unsubscribe(method: 'GET' | 'POST' = 'POST') {
      const url = pathIn((await server.mailsTo(bob.email)).find(({ subject }) => /blocked/.test(subject))?.list_unsubscribe);
      const payload = method === 'POST' ? { payload: 'List-Unsubscribe=One-Click' } : {};
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { statusCode, body } = await server.app.http.inject({ method, url, headers, ...payload });
      return { statusCode, body };
    },
    asBob: (body: object) => server.call(`PATCH /guardian/${bob.uuid}`, { headers: bob.session, body }),
    bobsMail: async () => (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body.mail,
    async ends() {
      const [incident] = (await server.call('GET /web/incidents', { token })).body.items as unknown as { uuid: string }[];
      const path = `POST /guardian/${carol.uuid}/incidents/${incident?.uuid}`;
      expect((await server.call(path, { headers: carol.session, body: { answer: 'over' } })).status).toBe(200);
    },
    unreached: async () => (await subjects(email)).filter((subject) => subject === 'Bob gets no more alerts').length,
  };
}

test('[P5.5] in an incident one click ends emails once it is over: the page says so, alerts still come, and pressing again changes nothing', async () => {
  const ann = await family();
  await ann.stops();
  const opened = await ann.unsubscribe('GET');
  expect([opened.statusCode, opened.body.includes(until), opened.body.match(/<button>/g)?.length]).toEqual([200, true, 1]);
  for (let i = 0; i < 2; i++) {
    const pressed = await ann.unsubscribe();
    expect([pressed.statusCode, pressed.body.includes('The emails will stop'), pressed.body.includes(until)]).toEqual([200, true, true]);
    expect(pressed.body).not.toContain('The emails have stopped');
  }
  server.clock.turn(20 * minute);
  expect(await ann.mailsOf(() => ann.stops('teamviewer'))).toEqual({ bob: 1, carol: 1 });
  expect(await ann.unreached()).toBe(0);
  expect(await ann.bobsMail()).toBe(true);
});

test('[P5.5] once a guardian ended the incident no email goes to the one who unsubscribed, one to the other, and the holder is notified once', async () => {
  const ann = await family();
  await ann.stops();
  await ann.unsubscribe();
  await ann.unsubscribe();
  expect(await ann.mailsOf(() => ann.ends())).toEqual({ bob: 0, carol: 1 });
  expect((await server.mailsTo(ann.carol.email)).map(({ subject }) => subject)).toContain('Bob gets no more alerts about Ann');
  expect(await ann.bobsMail()).toBe(false);
  expect(await ann.unreached()).toBe(1);
  const pressed = await ann.unsubscribe();
  expect([pressed.statusCode, pressed.body.includes('The emails have stopped.')]).toEqual([200, true]);
  expect(await ann.unreached()).toBe(1);

  // A new opener opens the same incident again, and does not bring the emails back.
  server.clock.turn(hour);
  expect(await ann.mailsOf(() => ann.stops('teamviewer'))).toEqual({ bob: 0, carol: 1 });
  expect(await ann.bobsMail()).toBe(false);
});

test('[P5.5] an incident that ends by itself ends the emails at once, and the holder is notified at the next full hour', async () => {
  const ann = await family();
  await ann.stops();
  await ann.unsubscribe();
  server.clock.turn(24 * hour - 1);
  const site = (name: string) => {
    const reported = detection(server, { identifier: name, name, category: 'ScamWebsite', details: name });
    return server.call('POST /agent/detections', { token: ann.device.agent, body: { detections: [reported] } });
  };
  expect(await ann.mailsOf(() => site('bad.example'))).toMatchObject({ bob: 1, carol: 1 });
  server.clock.turn(1);
  // Reported before a job has run, as after a restart.
  await site('worse.example');
  expect((await ann.subjects(ann.bob.email)).filter((subject) => subject.includes('worse.example'))).toEqual([]);
  expect((await ann.subjects(ann.carol.email)).filter((subject) => subject.includes('worse.example'))).toHaveLength(1);
  server.clock.turn(hour);
  await server.mailsTo(ann.email);
  expect(await ann.bobsMail()).toBe(false);
  expect(await ann.unreached()).toBe(1);
  expect(await ann.mailsOf(() => ann.stops('teamviewer'))).toMatchObject({ bob: 0, carol: 1 });
});

test('[P5.5] an incident that opens again before any job ran does not bring the emails back', async () => {
  const ann = await family();
  await ann.stops();
  await ann.unsubscribe();
  server.clock.turn(25 * hour);
  const newest = detection(server, { identifier: 'teamviewer', name: 'TeamViewer' });
  await server.call('POST /agent/detections', { token: ann.device.agent, body: { detections: [newest] } });
  expect(await ann.bobsMail()).toBe(false);
  expect((await ann.subjects(ann.bob.email)).filter((subject) => subject.includes('TeamViewer'))).toEqual([]);
  expect((await ann.subjects(ann.carol.email)).filter((subject) => subject.includes('TeamViewer'))).toHaveLength(1);
});

test('[P5.5] the emails end only after the last of several open incidents', async () => {
  const ann = await family();
  await ann.stops();
  await ann.unsubscribe();
  server.clock.turn(hour);
  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  const inAttic = () =>
    server.call('POST /agent/detections', { token: attic.agent, body: { detections: [detection(server, { identifier: 'teamviewer' })] } });
  await inAttic();
  const { items } = (await server.call('GET /web/incidents', { token: ann.token })).body as unknown as {
    items: { uuid: string; device: { name: string } }[];
  };
  const end = (name: string) =>
    server.call(`POST /guardian/${ann.carol.uuid}/incidents/${items.find(({ device }) => device.name === name)?.uuid}`, {
      headers: ann.carol.session,
      body: { answer: 'over' },
    });
  expect((await end('Den PC')).status).toBe(200);
  expect(await ann.bobsMail()).toBe(true);
  expect((await end('Attic PC')).status).toBe(200);
  expect(await ann.bobsMail()).toBe(false);
});

test('[P5.5] switching emails on or off on one’s own page counts at once, whatever was pressed', async () => {
  const ann = await family();
  await ann.stops();
  await ann.unsubscribe();
  await ann.asBob({ email: true });
  await ann.ends();
  expect(await ann.bobsMail()).toBe(true);
  await ann.stops('teamviewer');
  await ann.unsubscribe();
  await ann.asBob({ email: false });
  expect(await ann.bobsMail()).toBe(false);
});

test('[P5.5] in an incident the weekly email and a pending invitation end at once', async () => {
  const ann = await family();
  const email = `dora-${crypto.randomUUID()}@example.org`;
  const { uuid } = (await server.call('POST /web/create-guardian', { token: ann.token, body: { name: 'Dora', email } })).body;
  const session = await guardianSession(server, String(uuid), email);
  await ann.stops();
  const url = pathIn((await server.mailsTo(email))[0]?.list_unsubscribe);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const page = await server.app.http.inject({ url });
  expect(page.body).toContain('This also says no to being a guardian.');
  const pressed = await server.app.http.inject({ method: 'POST', url, headers, payload: 'List-Unsubscribe=One-Click' });
  expect(pressed.body).toContain('The emails have stopped.');
  expect((await server.call(`GET /guardian/${uuid}`, { headers: session })).body).toMatchObject({ state: 'declined' });

  await ann.unsubscribe();
  // On Sunday morning, in the same incident.
  const weeklyTo = async (address: string) => (await ann.subjects(address)).filter((subject) => /week/i.test(subject)).length;
  const before = [await weeklyTo(ann.bob.email), await weeklyTo(ann.carol.email)];
  const sunday = new Date(server.clock.now());
  sunday.setUTCDate(sunday.getUTCDate() + ((7 - sunday.getUTCDay()) % 7 || 7));
  while (server.clock.now() < sunday) {
    server.clock.turn(12 * hour);
    await ann.stops();
    await server.mailsTo(ann.email);
  }
  server.clock.turn(24 * hour - 1);
  await ann.stops();
  await server.mailsTo(ann.email);
  expect(await ann.bobsMail()).toBe(true);
  expect([await weeklyTo(ann.bob.email), await weeklyTo(ann.carol.email)]).toEqual([before[0], (before[1] ?? 0) + 1]);
});
