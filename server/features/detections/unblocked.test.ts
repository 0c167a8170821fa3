import type { Detection } from '@porchlight/contract/detections.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** A program that was not blocked is told for a day, however much has been blocked since: to the holder and to a guardian. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const hour = 60 * minute;

async function household() {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await linkedDevice(server, token);
  return {
    async report(blocked: boolean) {
      const one = detection(server, { blocked });
      await server.call('POST /agent/detections', { token: agent, body: { detections: [one] } });
      return one.uuid;
    },
    holder: async (query = '?length=10') =>
      (await server.call(`GET /web/detections${query}`, { token })).body as unknown as { items: Detection[]; unblocked?: Detection },
    guardian: async () =>
      ((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body as unknown as GuardianView).alerts,
  };
}

test('one that was not blocked stands beside the newest thirty that were, for the holder and for a guardian, until it is a day old', async () => {
  const home = await household();
  await home.report(false);
  server.clock.turn(hour);
  const open = await home.report(false);
  for (let i = 0; i < 30; i++) {
    server.clock.turn(11 * minute);
    await home.report(true);
  }
  const first = await home.holder();
  expect(first.unblocked).toMatchObject({ uuid: open, info: { blocked: false } });
  expect(first.items.map(({ uuid }) => uuid)).not.toContain(open);
  const shown = await home.guardian();
  expect(shown.filter(({ blocked }) => !blocked).map(({ uuid }) => uuid)).toEqual([open]);
  expect(shown.at(-1)?.uuid).toBe(open);

  // The pages are what they were: none is longer for it, none leaves one out.
  const pages = (await Promise.all([0, 10, 20, 30].map((offset) => home.holder(`?length=10&offset=${offset}`)))).map(({ items }) => items);
  expect(pages.map(({ length }) => length)).toEqual([10, 10, 10, 2]);
  expect(new Set(pages.flat().map(({ uuid }) => uuid)).size).toBe(32);
  expect((await home.holder('?length=100')).unblocked).toBeUndefined();

  server.clock.turn(19 * hour);
  expect((await home.holder()).unblocked).toBeUndefined();
  expect((await home.guardian()).filter(({ blocked }) => !blocked)).toEqual([]);
});

test('what goes on being started counts from the last time', async () => {
  const home = await household();
  const open = await home.report(false);
  server.clock.turn(9 * minute);
  await home.report(false);
  for (let i = 0; i < 30; i++) {
    server.clock.turn(i ? 11 * minute : 23 * hour - 5 * hour);
    await home.report(true);
  }
  // Of the first time it is a day and four minutes by now, of the last one less than a day.
  server.clock.turn(24 * hour + 4 * minute - (9 * minute + 18 * hour + 29 * 11 * minute));
  expect((await home.holder()).unblocked).toMatchObject({ uuid: open, info: { times: 2 } });
  expect((await home.guardian()).at(-1)?.uuid).toBe(open);
});

test("another account's is nobody's here", async () => {
  const [a, b] = [await household(), await household()];
  await a.report(false);
  await b.report(true);
  expect((await b.holder('?length=1')).unblocked).toBeUndefined();
  expect((await b.guardian()).filter(({ blocked }) => !blocked)).toEqual([]);
});
