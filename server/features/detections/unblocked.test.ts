import type { Detection } from '@porchlight/contract/detections.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** An unblocked alert stays visible for a day, to the holder and to guardians, despite later blocked ones. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function household() {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await linkedDevice(server, token);
  return {
    async report(blocked: boolean) {
      const newDetection = detection(server, { blocked });
      await server.call('POST /agent/detections', { token: agent, body: { detections: [newDetection] } });
      return newDetection.uuid;
    },
    holder: async (query = '?length=10') =>
      (await server.call(`GET /web/detections${query}`, { token })).body as unknown as { items: Detection[]; unblocked?: Detection },
    guardian: async () =>
      ((await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body as unknown as GuardianView).alerts,
  };
}

test('an unblocked alert is shown in addition to the newest thirty for a day, to the holder and to guardians', async () => {
  const holderSetup = await household();
  await holderSetup.report(false);
  server.clock.turn(hour);
  const unblockedId = await holderSetup.report(false);
  for (let i = 0; i < 30; i++) {
    server.clock.turn(11 * minute);
    await holderSetup.report(true);
  }
  const firstItems = await holderSetup.holder();
  expect(firstItems.unblocked).toMatchObject({ uuid: unblockedId, info: { blocked: false } });
  expect(firstItems.items.map(({ uuid }) => uuid)).not.toContain(unblockedId);
  const shownItems = await holderSetup.guardian();
  expect(shownItems.filter(({ blocked }) => !blocked).map(({ uuid }) => uuid)).toEqual([unblockedId]);
  expect(shownItems.at(-1)?.uuid).toBe(unblockedId);

  const pages = (await Promise.all([0, 10, 20, 30].map((offset) => holderSetup.holder(`?length=10&offset=${offset}`)))).map(
    ({ items }) => items,
  );
  expect(pages.map(({ length }) => length)).toEqual([10, 10, 10, 2]);
  expect(new Set(pages.flat().map(({ uuid }) => uuid)).size).toBe(32);
  expect((await holderSetup.holder('?length=100')).unblocked).toBeUndefined();

  server.clock.turn(19 * hour);
  expect((await holderSetup.holder()).unblocked).toBeUndefined();
  expect((await holderSetup.guardian()).filter(({ blocked }) => !blocked)).toEqual([]);
});

test('repeats of an unblocked detection extend the day for which its alert is shown', async () => {
  const holderSetup = await household();
  const unblockedId = await holderSetup.report(false);
  server.clock.turn(9 * minute);
  await holderSetup.report(false);
  for (let i = 0; i < 30; i++) {
    server.clock.turn(i ? 11 * minute : 23 * hour - 5 * hour);
    await holderSetup.report(true);
  }
  server.clock.turn(24 * hour + 4 * minute - (9 * minute + 18 * hour + 29 * 11 * minute));
  expect((await holderSetup.holder()).unblocked).toMatchObject({ uuid: unblockedId, info: { times: 2 } });
  expect((await holderSetup.guardian()).at(-1)?.uuid).toBe(unblockedId);
});

test("another account's unblocked alert is not shown", async () => {
  const [a, b] = [await household(), await household()];
  await a.report(false);
  await b.report(true);
  expect((await b.holder('?length=1')).unblocked).toBeUndefined();
  expect((await b.guardian()).filter(({ blocked }) => !blocked)).toEqual([]);
});
