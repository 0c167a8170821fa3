import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { openServerDb } from '../../db/traffic.ts';
import { admin } from '../../testing/global-setup.ts';
import { metricsToken, readScrape, scrape } from '../../testing/scrape.ts';
import { person, type TestServer, testServer, until } from '../../testing/world.ts';
import { openMetricsListener } from './listener.ts';
import { newRegistry, serverMetrics } from './metrics.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ METRICS_TOKEN: metricsToken, DATABASE_CONNECTIONS: '2', DATABASE_CONNECTIONS_JOBS: '2' });
  await server.app.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const log = { error: () => {} };
async function ownPort(token: string | null): Promise<string> {
  const { port, close } = await openMetricsListener({ port: 0, host: '127.0.0.1', token }, server.app.metrics, log);
  closers.push(close);
  return `http://127.0.0.1:${port}`;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('[P7.3] at the address of the server /metrics opens with its token, and with nothing else', async () => {
  const status = async (headers: Record<string, string>) => (await server.app.http.inject({ url: '/metrics', headers })).statusCode;
  const answers = [
    await status({}),
    await status(bearer('a-token-for-scrapers-onlz')),
    await status(bearer('')),
    await status({ authorization: metricsToken }),
  ];
  expect(answers).toEqual([401, 401, 401, 401]);
  const { statusCode, headers, body } = await server.app.http.inject({ url: '/metrics', headers: bearer(metricsToken) });
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ]);
  expect(body).toContain('porchlight_database_up 1');
  expect((await server.app.http.inject({ url: '/metrics?token=x', headers: bearer(metricsToken) })).statusCode).toBe(200);
});

test('without METRICS_TOKEN the address of the server answers /metrics as any unknown address', async () => {
  const plain = await testServer();
  const answerTo = async (url: string) => {
    const { statusCode, json } = await plain.app.http.inject({ url, headers: bearer(metricsToken) });
    const { request_id: _, ...body } = json();
    return [statusCode, body];
  };
  expect(await answerTo('/metrics')).toEqual(await answerTo('/no-such-page'));
  expect((await answerTo('/metrics'))[0]).toBe(404);
  await plain.close();
});

test('[P7.3] the port of its own answers GET /metrics and nothing else', async () => {
  const url = await ownPort(null);
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(readScrape(await answer.text()).get('porchlight_database_up')).toBe(1);
  const others = [
    fetch(`${url}/metrics`, { method: 'POST', body: '{}' }),
    fetch(`${url}/`),
    fetch(`${url}/healthz`),
    fetch(`${url}/api/web/devices`),
    fetch(`${url}/metrics/x`),
  ];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});

test('with a token the port of its own asks for it too, and after its end nobody answers there', async () => {
  const url = await ownPort(metricsToken);
  const status = async (headers: Record<string, string>) => (await fetch(`${url}/metrics`, { headers })).status;
  expect([await status({}), await status(bearer(`${metricsToken}x`)), await status(bearer(metricsToken))]).toEqual([401, 401, 200]);
  await closers.pop()?.();
  await expect(status(bearer(metricsToken))).rejects.toThrow();
});

test('a port that another program has is refused with the name of the setting', async () => {
  const port = Number(new URL(await ownPort(null)).port);
  const opening = openMetricsListener({ port, host: '127.0.0.1', token: null }, server.app.metrics, log);
  await expect(opening).rejects.toThrow(`METRICS_PORT=${port} cannot be used on METRICS_HOST=127.0.0.1 (EADDRINUSE)`);
});

test('while calls wait for the database and more are refused, the port of its own shows both', async () => {
  const url = await ownPort(null);
  const { token } = await person(server);
  const { port } = server.app.http.server.address() as AddressInfo;
  const blocker = new pg.Client({ connectionString: server.database_url });
  await blocker.connect();
  await blocker.query('begin; lock table sessions in access exclusive mode');
  const calls = Array.from({ length: 200 }, () => fetch(`http://127.0.0.1:${port}/api/web/devices`, { headers: bearer(token) }));
  const first = await Promise.race(calls);
  server.clock.turn(60_000);
  const begun = performance.now();
  const answer = await fetch(`${url}/metrics`);
  const tookMs = performance.now() - begun;
  await blocker.query('rollback');
  await blocker.end();
  await Promise.all(calls);
  expect([first.status, answer.status]).toEqual([503, 200]);
  expect(tookMs).toBeLessThan(2_000);
  const series = readScrape(await answer.text());
  expect(series.get('porchlight_calls_waiting{traffic="web"}')).toBeGreaterThan(0);
  expect(series.get('porchlight_calls_waiting{traffic="urgent"}')).toBe(0);
  expect(series.get('porchlight_http_requests_total{method="GET",route="none",status="503"}')).toBeGreaterThan(0);
  expect(series.get('porchlight_database_up')).toBe(1);
  expect(series.has('porchlight_jobs_due{lane="mail_urgent"}')).toBe(true);
});

test('while the database is away a scrape answers within about a second with what the server knows, and afterwards with everything', async () => {
  const before = await scrape(server);
  expect([before.get('porchlight_database_up'), before.has('porchlight_jobs_due{lane="mail_urgent"}')]).toEqual([1, true]);
  const name = new URL(server.database_url).pathname.slice(1);
  const asAdmin = (statement: string) => admin(inject('postgres_url'), statement);
  await asAdmin(`alter database ${name} with allow_connections false`);
  await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  const begun = performance.now();
  // The old readings are too old after a minute.
  const during = await scrape(server);
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(during.get('porchlight_database_up')).toBe(0);
  expect(during.has('porchlight_jobs_due{lane="mail_urgent"}')).toBe(false);
  expect(during.has('porchlight_http_requests_total{method="GET",route="/metrics",status="200"}')).toBe(true);
  expect(during.get('porchlight_disk_size_bytes')).toBeGreaterThan(0);
  await asAdmin(`alter database ${name} with allow_connections true`);
  await until('the database is up', async () => (await scrape(server)).get('porchlight_database_up') === 1);
  expect((await scrape(server)).has('porchlight_jobs_due{lane="mail_urgent"}')).toBe(true);
});

test('while the database accepts connections and never answers, a scrape answers within about a second', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `postgres://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  const { db, traffic, close } = openServerDb(url, { shared: 2, urgent: 1, background: 1 }, () => 0);
  const metrics = serverMetrics({
    ...{ registry: newRegistry(), db, traffic, clock: server.clock, log: { warn: () => {} } },
    version: '1.0.0',
    data_dir: server.config.data_dir,
    agentsWaiting: () => 7,
    ownProblems: () => ['database'],
    certificateExpires: () => new Date('2027-01-01T00:00:00.000Z'),
  });
  const begun = performance.now();
  const [series] = (await Promise.all([metrics.text(), metrics.text()])).map(readScrape);
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect([series?.get('porchlight_database_up'), series?.get('porchlight_agents_waiting')]).toEqual([0, 7]);
  expect(series?.get('porchlight_problem{problem="database"}')).toBe(1);
  expect(series?.get('porchlight_certificate_expiry_timestamp_seconds')).toBe(Date.UTC(2027) / 1000);
  // One connection is being opened, however many scrapes there are.
  expect(sockets).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await close();
});
