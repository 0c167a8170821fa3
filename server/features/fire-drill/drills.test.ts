import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { activeGuardian, linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const practiceText = 'This is a practice alert. Nothing happened.';

test('a fire drill sends a practice alert to everyone and shows who was reached', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  expect((await server.call('GET /web/fire-drill', { token })).body).toEqual({ drill: null });
  const { body } = await server.call('POST /web/fire-drill', { token });
  for (const [recipient, subject] of [
    [email, 'Practice alert: nothing happened'],
    [bob.email, 'Practice alert from Ann: nothing happened'],
  ] as const) {
    const [mail] = await server.mailsTo(recipient);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain(practiceText);
    expect((mail?.text ?? '').split('Nobody from Porchlight')[0]?.split(/\s+/).length).toBeLessThan(90);
  }
  const { drill } = (await server.call('GET /web/fire-drill', { token })).body;
  expect(drill).toMatchObject({ uuid: body.uuid, time: server.clock.now().toISOString() });
  expect(drill?.reached).toMatchObject([
    { name: 'You', guardian: null, channel: 'mail', state: 'sent' },
    { name: 'Bob', guardian: bob.uuid, channel: 'mail', state: 'sent' },
  ]);
});

test('the practice alert of an account without guardians does not mention guardians', async () => {
  const { token, email } = await person(server);
  await server.call('POST /web/fire-drill', { token });
  const [mail] = await server.mailsTo(email);
  expect(mail?.text).toContain('We sent this to everyone who gets your alerts.');
  expect(mail?.text).not.toMatch(/guardian/i);
});

test('a fire drill appears neither in the history nor in the activity log nor on a device', async () => {
  const { token } = await person(server);
  const { uuid } = await linkedDevice(server, token);
  await server.call('POST /web/fire-drill', { token });
  await server.app.worker.idle();
  expect((await server.call('GET /web/detections?offset=0&length=25', { token })).body.items).toEqual([]);
  expect((await server.call('GET /web/acts', { token })).body.items).toEqual([]);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body.last_detection).toBe('0001-01-01T00:00:00Z');
});

test('an account can start three fire drills an hour, and sees the last one', async () => {
  const { token } = await newcomer(server);
  const startDrill = () => server.call('POST /web/fire-drill', { token });
  await startDrill();
  await startDrill();
  server.clock.turn(1000);
  const thirdDrill = await startDrill();
  expect(await startDrill()).toMatchObject({ status: 429 });
  expect((await server.call('GET /web/fire-drill', { token })).body.drill).toMatchObject({ uuid: thirdDrill.body.uuid });
  server.clock.turn(3_600_000);
  expect((await startDrill()).status).toBe(200);
});

test('[P15.7] a practice is refused while an incident is open, while something waits, and for 24 hours after a stop', async () => {
  const ann = await incidentFamily(server);
  const practice = () => ann.call('POST /web/fire-drill');
  const refused = { status: 409, body: { code: 'drill_not_now' } };
  // What was only seen is no stop.
  await ann.stops({ blocked: false, category: 'DeceptiveUtility', identifier: 'adwcleaner' });
  expect((await practice()).status).toBe(200);

  await ann.stops();
  expect(await practice()).toMatchObject(refused);
  const [incident] = await ann.incidents();
  await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' });
  expect(await practice()).toMatchObject(refused);
  server.clock.turn(24 * 3_600_000);
  expect((await practice()).status).toBe(200);

  await ann.call('PATCH /web/holding', { ask_first: true });
  const { request } = (await ann.call('PATCH /web/alert-settings', { mail: false })).body;
  expect(await practice()).toMatchObject(refused);
  await ann.answer(request, 'no');
  expect((await practice()).status).toBe(200);
});

test('[P15.7] a practice says of a real alert that it still counts, and never that something is over', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  await server.call('POST /web/fire-drill', { token });
  for (const recipient of [email, bob.email]) {
    const [mail] = await server.mailsTo(recipient);
    expect(mail?.text).toContain('A real alert still counts');
    expect(mail?.text).not.toMatch(/is it over|nobody is in trouble|all is well/i);
  }
});
