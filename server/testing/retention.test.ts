import { randomUUID } from 'node:crypto';
import { day, hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from './incident-family.ts';
import { goodPassword, type Loose, type TestServer, testServer } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function pass(ms: number) {
  server.clock.turn(ms);
  await server.app.worker.idle();
}

async function holderOf(email: string) {
  const { body } = await server.call('POST /login/web', { body: { email, password: goodPassword } });
  const get = async (path: string) => server.call(`GET /web/${path}`, { token: String(body.web_token) });
  const items = async (path: string) => (await get(path)).body.items as unknown as Loose[];
  return { get, items };
}

const rowsOf = async (table: 'alert_answers' | 'wrong_alerts' | 'alerts_seen' | 'incident_events' | 'held_requests' | 'request_answers') =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(server.db)).rows[0]?.n;

test('[P14.4] after 13 months an alert and its incident are gone with all that belongs to them, and every page works with what came later', async () => {
  const ann = await incidentFamily(server);
  await ann.stops();
  await ann.stops();
  const [old] = (await ann.call('GET /web/detections')).body.items as unknown as { uuid: string }[];
  const [oldIncident] = await ann.incidents();
  await ann.call(`POST /web/detections/${old?.uuid}/answer`, { answer: 'mine' });
  await ann.call(`POST /web/detections/${old?.uuid}/wrong`);
  await ann.asBob(`POST /guardian/:id/alerts/${old?.uuid}/seen`);
  const { request } = (await ann.allow()).body;
  await ann.answer(request, 'no');
  const related = ['alert_answers', 'wrong_alerts', 'alerts_seen', 'held_requests', 'request_answers'] as const;
  for (const table of related) expect([table, await rowsOf(table)]).toEqual([table, 1]);

  await pass(394 * day);
  const before = await holderOf(ann.email);
  expect(await before.items('detections')).toMatchObject([{ uuid: old?.uuid, info: { times: 2 } }]);
  expect(await before.items('incidents')).toMatchObject([{ uuid: oldIncident?.uuid, state: 'over' }]);
  await ann.stops({ identifier: 'teamviewer', name: 'TeamViewer', uuid: randomUUID() });

  // The incident ended a day after its last opener, so it goes a day after its alerts.
  await pass(26 * hour);
  expect(await before.items('detections')).toMatchObject([{ info: { name: 'TeamViewer', times: 1 } }]);
  expect((await before.get(`detections/${old?.uuid}`)).status).toBe(404);
  expect((await before.get(`incidents/${oldIncident?.uuid}`)).body).toMatchObject({ uuid: oldIncident?.uuid, state: 'over' });
  for (const table of ['alert_answers', 'wrong_alerts', 'alerts_seen'] as const) expect([table, await rowsOf(table)]).toEqual([table, 0]);

  for (let hours = 0; hours < 27; hours++) await pass(hour);
  const incidents = await before.items('incidents');
  expect(incidents.map(({ uuid }) => uuid)).not.toContain(oldIncident?.uuid);
  expect(incidents).toHaveLength(1);
  expect((await before.get(`incidents/${oldIncident?.uuid}`)).status).toBe(404);
  expect((await before.get(`incidents/${String(incidents[0]?.uuid)}`)).status).toBe(200);
  for (const table of ['held_requests', 'request_answers'] as const) expect([table, await rowsOf(table)]).toEqual([table, 0]);
  expect(await rowsOf('incident_events')).toBeGreaterThan(0);
  for (const path of ['devices', 'guardians', 'acts', 'fire-drill']) expect([path, (await before.get(path)).status]).toEqual([path, 200]);
  const page = await ann.asBob('GET /guardian/:id');
  expect([page.status, JSON.stringify(page.body).includes(String(old?.uuid))]).toEqual([200, false]);
  const [report] = (await server.mailsTo(ann.email)).filter(({ subject }) => /week/i.test(subject));
  expect(report?.text).toContain('TeamViewer');
  expect(report?.text).not.toContain('AnyDesk');
}, 60_000);
