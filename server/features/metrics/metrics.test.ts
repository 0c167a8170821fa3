import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pollOf } from '../../testing/policy-of.ts';
import { metricsToken, scrape, scrapeText } from '../../testing/scrape.ts';
import { activeGuardian, detection, linkedDevice, newcomer, person, type TestServer, testServer, until } from '../../testing/world.ts';
import { processMetrics } from './process-metrics.ts';

let server: TestServer;
const missing = new Set<string>();
/** How long the mail server takes for each email, in milliseconds of the server's clock. */
let mailTakes = 0;
beforeAll(async () => {
  server = await testServer({ METRICS_TOKEN: metricsToken }, undefined, {
    onMailStep(step, recipient) {
      if (step !== 'rcpt') return;
      server.clock.turn(mailTakes);
      if (missing.has(recipient)) throw Object.assign(new Error('5.1.1 nobody'), { responseCode: 550 });
    },
  });
});
afterAll(() => server.close());

/** How much each series grew during `work`. */
async function growthIn(work: () => Promise<unknown>): Promise<(series: string) => number> {
  const before = await scrape(server);
  await work();
  const after = await scrape(server);
  return (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
}

const report = (agent: string, one = detection(server)) =>
  server.call('POST /agent/detections', { token: agent, body: { detections: [one] } });

test("a call is counted by its method, its route's pattern and its status, and its duration by its traffic", async () => {
  const grew = await growthIn(async () => {
    await server.call(`PUT /web/devices/${randomUUID()}`);
    await server.call(`DELETE /web/devices/${randomUUID()}`);
    await server.app.http.inject('/dashboard');
    await server.app.http.inject('/healthz');
  });
  expect(grew('porchlight_http_requests_total{method="DELETE",route="/api/web/devices/:uuid",status="401"}')).toBe(1);
  expect(grew('porchlight_http_requests_total{method="PUT",route="none",status="404"}')).toBe(1);
  expect(grew('porchlight_http_requests_total{method="GET",route="/healthz",status="200"}')).toBe(1);
  const durations = 'porchlight_http_request_duration_seconds_count';
  expect([grew(`${durations}{traffic="web"}`), grew(`${durations}{traffic="page"}`), grew(`${durations}{traffic="urgent"}`)]).toEqual([
    1, 2, 0,
  ]);
});

test('unknown addresses and ids of devices add no series', async () => {
  const call = async (n: number) => {
    await server.app.http.inject({ url: `/${randomUUID()}/${n}?q=${n}` });
    await server.app.http.inject({ url: `/api/${randomUUID()}` });
    await server.app.http.inject({ method: 'DELETE', url: `/api/web/devices/${randomUUID()}` });
  };
  await call(1);
  await scrape(server);
  const before = await scrape(server);
  for (let n = 0; n < 200; n++) await call(n);
  const after = await scrape(server);
  expect([...after.keys()].filter((series) => !before.has(series))).toEqual([]);
  const series = 'porchlight_http_requests_total{method="DELETE",route="/api/web/devices/:uuid",status="401"}';
  expect((after.get(series) ?? 0) - (before.get(series) ?? 0)).toBe(200);
});

test('methods that no route has are counted together', async () => {
  for (const method of METHODS) if (method !== 'CONNECT') await server.app.http.inject({ method: method as 'GET', url: '/no-such-page' });
  const methods = [...(await scrape(server)).keys()].flatMap((series) => /requests_total\{method="(\w+)"/.exec(series)?.[1] ?? []);
  expect(new Set(methods)).toEqual(new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other']));
});

test('a long poll that waits is a waiting agent, and its duration is left out, while that of a short call is counted', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const durations = 'porchlight_http_request_duration_seconds_count{traffic="agent"}';
  const polls = 'porchlight_http_requests_total{method="POST",route="/api/agent/changes",status="200"}';
  const grew = await growthIn(async () => {
    const waiting = pollOf(server, agent, { version: 1000, definitions: 1000, epoch: 1 });
    await until('the agent waits', async () => (await scrape(server)).get('porchlight_agents_waiting') === 1);
    await server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'Den PC', policy: 'strict' } });
    await waiting;
  });
  expect([grew(polls), grew(durations), grew('porchlight_agents_waiting')]).toEqual([1, 0, 0]);
  const checkIn = await growthIn(() => server.call('GET /agent/keys?known_keys=0', { token: agent }));
  expect(checkIn(durations)).toBe(1);
});

test('the alert of a detection counts with the time until the mail server accepted it, and other emails without', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  mailTakes = 7_000;
  const grew = await growthIn(async () => {
    await report(agent);
    await server.mailsTo(email);
  });
  mailTakes = 0;
  const times = 'porchlight_detection_to_accepted_seconds';
  expect([grew(`${times}_count{channel="mail"}`), grew(`${times}_sum{channel="mail"}`)]).toEqual([1, 7]);
  expect(grew('porchlight_deliveries_total{channel="mail",result="accepted"}')).toBe(1);
  expect(grew('porchlight_jobs_finished_total{lane="mail_urgent",result="done"}')).toBe(1);

  const others = await growthIn(() => activeGuardian(server, token));
  expect(others('porchlight_deliveries_total{channel="mail",result="accepted"}')).toBeGreaterThan(0);
  expect(others(`${times}_count{channel="mail"}`)).toBe(0);
});

test('a refused email counts as failed and is a dead letter, while the accepted one of the same alert is none', async () => {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await linkedDevice(server, token);
  missing.add(bob.email);
  const grew = await growthIn(async () => {
    await report(agent);
    await server.app.worker.idle();
    // The mail server refused one address, and accepts another, so the address is wrong and not the server.
    await newcomer(server);
    server.clock.turn(60_000);
    await server.app.worker.idle();
  });
  missing.clear();
  expect(grew('porchlight_deliveries_total{channel="mail",result="failed"}')).toBe(1);
  expect(grew('porchlight_jobs_finished_total{lane="mail_urgent",result="dead"}')).toBe(1);
  expect(grew('porchlight_jobs_failed{lane="mail_urgent"}')).toBe(1);
  expect(grew('porchlight_jobs_failed{lane="mail_ordinary"}')).toBe(0);
  expect(grew('porchlight_detection_to_accepted_seconds_count{channel="mail"}')).toBe(1);
});

test('a new device is not installed, is online once its agent called, and offline when it has not called for minutes', async () => {
  const { token } = await person(server);
  const states = async () => {
    const now = await scrape(server);
    return ['not_installed', 'online', 'offline'].map((state) => now.get(`porchlight_devices{state="${state}"}`) ?? Number.NaN);
  };
  server.clock.turn(600_000);
  const [noCode = 0, , offline = 0] = await states();
  await server.call('POST /web/create-device', { token, body: { name: 'Attic PC', policy: null } });
  await linkedDevice(server, token);
  expect(await states()).toEqual([noCode + 1, 1, offline]);
  server.clock.turn(300_000);
  expect(await states()).toEqual([noCode + 1, 0, offline + 1]);
});

test('newly published definitions raise their version, which has the time of its publication', async () => {
  const grew = await growthIn(async () => {
    const other = await testServer({}, readCatalogue().slice(1), { otherServer: server });
    await other.close();
  });
  expect(grew('porchlight_definitions_version')).toBe(1);
  // The other server has its own clock, which has not been turned.
  const published = Date.parse('2026-11-21T14:05:00.000Z') / 1000;
  expect((await scrape(server)).get('porchlight_definitions_published_timestamp_seconds')).toBe(published);
});

test('a list of sites is named without its password and query, and the oldest of two with one name counts', async () => {
  const row = (url: string, hour: number) => ({
    url,
    count: 1,
    tried: server.clock.now(),
    fetched: new Date(Date.UTC(2026, 10, 20, hour)),
  });
  await server.db
    .insertInto('site_lists')
    .values([
      row('https://ann:secret-1@lists.example/a.txt?key=secret-2', 5),
      row('https://lists.example/a.txt?key=secret-3', 4),
      row('first', 3),
      { ...row('https://lists.example/never.txt', 1), fetched: null },
    ])
    .execute();
  await server.db
    .insertInto('upstream_feeds')
    .values({ url: 'https://feed.example', tried: server.clock.now(), fetched: new Date(Date.UTC(2026, 10, 20, 6)) })
    .execute();
  const text = await scrapeText(server);
  expect(text).toContain(`porchlight_definitions_feed_fetched_timestamp_seconds ${Date.UTC(2026, 10, 20, 6) / 1000}\n`);
  const lines = text.split('\n').filter((line) => line.startsWith('porchlight_site_list_fetched_timestamp_seconds'));
  expect(lines.sort()).toEqual([
    `porchlight_site_list_fetched_timestamp_seconds{list="first"} ${Date.UTC(2026, 10, 20, 3) / 1000}`,
    `porchlight_site_list_fetched_timestamp_seconds{list="lists.example/a.txt"} ${Date.UTC(2026, 10, 20, 4) / 1000}`,
  ]);
  expect(text).not.toContain('secret-');
});

test('the newest backup, a carrier that is away, and problems that the operator was notified of are shown, and ended ones are not', async () => {
  const now = server.clock.now();
  const quiet = await scrape(server);
  expect(quiet.has('porchlight_backup_timestamp_seconds')).toBe(false);
  expect([...quiet.keys()].filter((series) => series.startsWith('porchlight_problem'))).toEqual([]);
  await server.db.insertInto('last_backup').values({ made: now }).execute();
  // A server that has ended left the row of mail hours ago.
  const longAgo = new Date(now.getTime() - 2 * 3_600_000);
  await server.db
    .insertInto('carriers_away')
    .values([
      { carrier: 'sms', since: now, tried: now, reason: 'x' },
      { carrier: 'mail', since: longAgo, tried: longAgo, reason: 'x' },
    ])
    .execute();
  const problem = { since: now, facts: '{}' };
  await server.db
    .insertInto('operator_problems')
    .values([
      { ...problem, key: 'disk', notified: now, good_since: null },
      { ...problem, key: 'not_notified', notified: null, good_since: null },
      { ...problem, key: 'over', notified: now, good_since: now },
    ])
    .execute();
  const series = await scrape(server);
  expect(series.get('porchlight_backup_timestamp_seconds')).toBe(now.getTime() / 1000);
  expect([series.get('porchlight_carrier_away{carrier="sms"}'), series.get('porchlight_carrier_away{carrier="mail"}')]).toEqual([1, 0]);
  expect([...series.keys()].filter((name) => name.startsWith('porchlight_problem'))).toEqual(['porchlight_problem{problem="disk"}']);
  await server.db.deleteFrom('carriers_away').execute();
});

test('the disk, the version and the connections to the database are shown, and the certificate only where its end is known', async () => {
  const series = await scrape(server);
  const [free = 0, size = 0] = [series.get('porchlight_disk_free_bytes'), series.get('porchlight_disk_size_bytes')];
  expect(size).toBeGreaterThan(free);
  expect(free).toBeGreaterThan(0);
  expect(series.get('porchlight_build_info{version="1.0.0-test"}')).toBe(1);
  expect(series.get('porchlight_database_up')).toBe(1);
  expect(series.get('porchlight_database_connections{pool="background",state="waiting"}')).toBe(0);
  expect(series.get('porchlight_calls_waiting{traffic="web"}')).toBe(0);
  expect(series.has('porchlight_certificate_expiry_timestamp_seconds')).toBe(false);
});

test('no email address, name, device, address of a network or token is in the metrics', async () => {
  const ann = await person(server, 'Canary Person', 'canary@example.org');
  const device = await linkedDevice(server, ann.token, 'Canary PC');
  const bob = await activeGuardian(server, ann.token, 'Canary Guardian', 'canary-guardian@example.org');
  await report(device.agent, detection(server, { name: 'Canary program', details: '/home/canary/file' }));
  await server.call(`GET /guardian/${bob.uuid}`, { headers: { ...bob.session, 'x-forwarded-for': '203.0.113.77' } });
  await server.app.http.inject({ url: '/canary?email=canary@example.org', headers: { 'user-agent': 'canary' } });
  await server.app.worker.idle();
  const text = await scrapeText(server);
  for (const secret of [ann.token, device.uuid, device.agent, bob.uuid, metricsToken, '203.0.113.77', 'example.org']) {
    expect(text).not.toContain(secret);
  }
  expect(text.toLowerCase()).not.toContain('canary');
});

test('however often it is scraped, the database is read once in fifteen seconds, and devices are counted once a minute', async () => {
  const url = { url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } };
  const scrapeMany = () => Promise.all(Array.from({ length: 100 }, () => server.app.http.inject(url)));
  server.clock.turn(75_000);
  // What is due by then has transactions, too.
  await server.app.worker.idle();
  const readings = vi.spyOn(server.db, 'transaction');
  const statuses = new Set((await scrapeMany()).map(({ statusCode }) => statusCode));
  await scrapeMany();
  expect([statuses, readings.mock.calls.length]).toEqual([new Set([200]), 2]);
  server.clock.turn(15_000);
  await server.app.worker.idle();
  readings.mockClear();
  await scrapeMany();
  expect(readings.mock.calls.length).toBe(1);
  readings.mockRestore();
});

test('each metric has a help text, counters end in _total, and no other metric does', async () => {
  const text = `${await scrapeText(server)}${await processMetrics()()}`;
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
  expect(types.length).toBeGreaterThan(40);
  for (const { name, type } of types) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(text).toMatch(new RegExp(`^# HELP ${name} \\S+`, 'm'));
  }
  expect(types.map(({ name }) => name)).toContain('process_cpu_seconds_total');
});
