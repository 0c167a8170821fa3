import { randomUUID } from 'node:crypto';
import type { News } from '@porchlight/contract/news.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;

/** Ann with a device, and her guardian Bob. */
async function family() {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  const about = /paused|wrong Admin PIN|asked to use/;
  const told = async (who = email) => (await server.mailsTo(who)).filter(({ subject, text }) => about.test(subject + text));
  const acts = async () =>
    ((await server.call('GET /web/acts', { token })).body.items as unknown as { kind: string; words: string }[]).filter(
      ({ kind }) => kind !== 'guardian_added',
    );
  const silence = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.silence;
  return { token, email, bob, device, told, acts, silence };
}
/** `before`: how many minutes ago it happened. */
const newsOf = (said: News['said'], before = 0): News => ({
  uuid: randomUUID(),
  time: new Date(server.clock.now().getTime() - before * minute).toISOString(),
  said,
});
const tell = (token: string, ...news: News[]) => server.call('POST /agent/news', { token, body: { news } });
const inMinutes = (n: number) => new Date(server.clock.now().getTime() + n * minute).toISOString();

test('[P4.6] a pause is told to holder and guardians once when it begins, however often its agent says so, and ends by itself', async () => {
  const { bob, device, told, silence } = await family();
  const paused = newsOf({ kind: 'paused', until: inMinutes(10) });
  expect(await tell(device.agent, paused)).toMatchObject({ status: 200, body: { stored: [paused.uuid] } });
  expect(await silence()).toMatchObject({ kind: 'paused', until: inMinutes(10) });
  expect(await tell(device.agent, paused)).toMatchObject({ status: 200, body: { stored: [paused.uuid] } });
  expect(await told()).toHaveLength(1);
  const [mail] = await told(bob.email);
  expect(mail?.text).toMatch(/Protection on Den PC was paused until .*\d/);
  server.clock.turn(11 * minute);
  expect(await silence()).toBeNull();
});

test('[P4.6] the end of a pause before its time shows at once', async () => {
  const { device, silence } = await family();
  await tell(device.agent, newsOf({ kind: 'paused', until: inMinutes(10) }));
  await tell(device.agent, newsOf({ kind: 'resumed' }));
  expect(await silence()).toBeNull();
});

test('[P4.6] a pause that is over by the time the device is heard of is told all the same, and the device counts as protected', async () => {
  const { bob, device, told, silence } = await family();
  await tell(device.agent, newsOf({ kind: 'paused', until: inMinutes(-50) }, 60));
  expect(await silence()).toBeNull();
  expect(await told(bob.email)).toHaveLength(1);
});

test('[P2.6] five wrong PINs are told as what they are', async () => {
  const { bob, device, told, acts } = await family();
  await tell(device.agent, newsOf({ kind: 'pin_guessed' }));
  expect(await acts()).toMatchObject([{ kind: 'pin_guessed', words: 'Somebody typed 5 wrong Admin PINs on Den PC.' }]);
  const [mail] = await told(bob.email);
  expect(mail?.text).toContain('The computer is still protected.');
  expect(mail?.text.split(/\s+/).length).toBeLessThan(90);
});

test('a wish is told, and allows nothing', async () => {
  const { token, bob, device, told } = await family();
  await tell(device.agent, newsOf({ kind: 'asked', name: 'AnyDesk' }));
  const [mail] = await told(bob.email);
  expect(mail?.text).toContain('Somebody on Den PC asked to use AnyDesk.');
  expect(mail?.text).toContain('It’s still blocked.');
  const { items } = (await server.call(`GET /web/devices/${device.uuid}/v2/exceptions`, { token })).body;
  expect(items).toEqual([]);
});

test('what one device told does not keep another one from telling it', async () => {
  const [a, b] = [await family(), await family()];
  const news = newsOf({ kind: 'pin_guessed' });
  await tell(a.device.agent, news);
  await tell(b.device.agent, news);
  expect([await a.acts(), await b.acts()].map((list) => list.length)).toEqual([1, 1]);
});
