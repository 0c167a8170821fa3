import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const practice = 'This is a practice alert. Nothing happened.';

test('one button sends a marked practice alert to everyone, and shows who was reached', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  expect((await server.call('GET /web/fire-drill', { token })).body).toEqual({ drill: null });
  const { body } = await server.call('POST /web/fire-drill', { token });
  for (const [to, subject] of [
    [email, 'Practice alert: nothing happened'],
    [bob.email, 'Practice alert from Ann: nothing happened'],
  ] as const) {
    const [mail] = await server.mailsTo(to);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain(practice);
    expect((mail?.text ?? '').split('Nobody from Porchlight')[0]?.split(/\s+/).length).toBeLessThan(90);
  }
  const { drill } = (await server.call('GET /web/fire-drill', { token })).body;
  expect(drill).toMatchObject({ uuid: body.uuid, time: server.clock.now().toISOString() });
  expect(drill?.reached).toMatchObject([
    { name: 'You', guardian: null, channel: 'mail', state: 'sent' },
    { name: 'Bob', guardian: bob.uuid, channel: 'mail', state: 'sent' },
  ]);
});

test('an account without guardians is not told that guardians were written to', async () => {
  const { token, email } = await person(server);
  await server.call('POST /web/fire-drill', { token });
  const [mail] = await server.mailsTo(email);
  expect(mail?.text).toContain('We sent this to everyone who gets your alerts.');
  expect(mail?.text).not.toMatch(/guardian/i);
});

test('it is no alert: no history, no act, no warning on a device', async () => {
  const { token } = await person(server);
  const { uuid } = await linkedDevice(server, token);
  await server.call('POST /web/fire-drill', { token });
  await server.app.worker.idle();
  expect((await server.call('GET /web/detections?offset=0&length=25', { token })).body.items).toEqual([]);
  expect((await server.call('GET /web/acts', { token })).body.items).toEqual([]);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body.last_detection).toBe('0001-01-01T00:00:00Z');
});

test('three an hour, and the last one is shown', async () => {
  const { token } = await newcomer(server);
  const drill = () => server.call('POST /web/fire-drill', { token });
  await drill();
  await drill();
  server.clock.turn(1000);
  const third = await drill();
  expect(await drill()).toMatchObject({ status: 429 });
  expect((await server.call('GET /web/fire-drill', { token })).body.drill).toMatchObject({ uuid: third.body.uuid });
  server.clock.turn(3_600_000);
  expect((await drill()).status).toBe(200);
});
