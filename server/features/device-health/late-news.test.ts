import { randomUUID } from 'node:crypto';
import type { News } from '@porchlight/contract/news.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** A computer was without internet, and now tells what was done at it meanwhile: it is told as what it was, with the day on which it was. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const day = 24 * 60 * minute;

/** Ann with a device (it stands in New York, where it is 9:05 on Saturday, November 21), and her guardian Bob. */
async function family() {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  await server.mailsTo(bob.email);
  const listed = async () => (await server.call('GET /web/acts', { token })).body.items as unknown as { words: string; time: string }[];
  // Beside it stands that Bob was asked to be a guardian.
  const acts = async () => (await listed()).filter(({ words }) => !words.endsWith('to be a guardian.'));
  const tell = (...news: News[]) => server.call('POST /agent/news', { token: device.agent, body: { news } });
  const silence = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.silence;
  return { token, bob, device, acts, tell, silence };
}
const at = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString();
const newsAt = (time: string, said: News['said']): News => ({ uuid: randomUUID(), time, said });

test('[P4.6] a pause of three days ago is told with its own day, and as over', async () => {
  const { bob, acts, tell, silence } = await family();
  const began = at(-3 * day);
  await tell(newsAt(began, { kind: 'paused', until: at(-3 * day + 15 * minute) }));
  const words = 'Protection on Den PC was paused until 9:20 AM on Wednesday, November 18.';
  expect(await acts()).toMatchObject([{ time: began, words }]);
  expect(await silence()).toBeNull();
  const [mail] = await server.mailsTo(bob.email);
  expect(mail?.subject).toBe(words.slice(0, -1));
  expect(mail?.text).toContain('This happened at 9:05 AM on Wednesday, November 18.');
  expect(mail?.text).toContain('The pause is over');
  expect(mail?.text).not.toContain('Until then, nothing is blocked on that computer');
});

test('[P4.6] a pause that still goes on has its day as well, and is no longer than a pause may be from its beginning', async () => {
  const { bob, tell, silence } = await family();
  const began = at(-5 * minute);
  await tell(newsAt(began, { kind: 'paused', until: at(30 * day) }));
  expect(await silence()).toMatchObject({ kind: 'paused', since: began });
  const [mail] = await server.mailsTo(bob.email);
  expect(mail?.subject).toMatch(/^Protection on Den PC was paused until \d+:\d\d [AP]M on (Saturday, November 21|Sunday, November 22)$/);
  expect(mail?.text).toContain('Until then, nothing is blocked on that computer.');
});

test('wrong PINs of three days ago are told with their day, and protection is not said to take no PIN now', async () => {
  const { bob, acts, tell } = await family();
  await tell(newsAt(at(-3 * day), { kind: 'pin_guessed' }));
  expect(await acts()).toMatchObject([{ time: at(-3 * day) }]);
  const [mail] = await server.mailsTo(bob.email);
  expect(mail?.text).toContain('This happened at 9:05 AM on Wednesday, November 18.');
});

test('a clock over there that is ahead makes nothing happen later than now', async () => {
  const { acts, tell } = await family();
  await tell(newsAt(at(2 * day), { kind: 'pin_guessed' }));
  expect(await acts()).toMatchObject([{ time: at(0) }]);
});

test('what arrives together is grouped by when it came, not by when it was: five mails, the alarm that there are too many, and one with the rest', async () => {
  const { bob, tell } = await family();
  const before = (await server.mailsTo(bob.email)).length;
  const wishes = Array.from({ length: 8 }, (_, n) => newsAt(at(-3 * day + n * 60 * minute), { kind: 'asked', name: `Program ${n}` }));
  await tell(...wishes);
  expect(await server.mailsTo(bob.email)).toHaveLength(before + 6);
  server.clock.turn(10 * minute);
  const mails = await server.mailsTo(bob.email);
  expect(mails).toHaveLength(before + 7);
  for (const n of [6, 7]) expect(mails[0]?.text).toContain(`asked to use Program ${n}.`);
});
