import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '@porchlight/server/db/open.ts';
import { findNatsServer, type NatsServer, startNatsServer } from '@porchlight/server/testing/nats-server.ts';
import { acceptedGuardian } from '../../guardians.ts';
import { openTestPostgres } from '../../test-postgres.ts';
import { until } from '../../until.ts';
import { startWorld, type World } from '../../world.ts';
import { type WorldWithOwnMailServer, worldWithOwnMailServer } from '../own-mail-server.ts';
import { newDetection } from '../reported-alerts.ts';
import { contactWatch, outageMails } from './contact-watch.ts';
import { dashboardChanges, sentenceOf } from './dashboard-changes.ts';
import { type Household, households } from './households.ts';
import { agentPlayer } from './played-agents.ts';
import { reportedDetections } from './reported-detections.ts';
import { lateChanges } from './three-servers.ts';

export interface NatsAwayOptions {
  /** Of five devices each. */
  households: number;
  /** How long NATS is away, each time, in milliseconds. */
  outages: number[];
}

/** In milliseconds. `acknowledged`: a report while NATS is away. */
const limits = { inForce: 60_000, settled: 90_000, acknowledged: 5_000 };
/** In milliseconds. */
const pauses = { changes: 300, reports: 700, calm: 5_000, gatewayAway: 5_000 };

interface Scene {
  nats: NatsServer;
  web: WorldWithOwnMailServer;
  gateways: World[];
  db: Db;
  folder: string;
}

/**
 * Agents wait at two gateways, which ask a web server by NATS. NATS is killed and comes back, and so does a gateway. Then compares: the
 * changes of meanwhile are in force soon after, detections do not notice, and no device counted as silent.
 */
export async function natsAwayDrill(options: NatsAwayOptions, log: (line: string) => void = () => {}): Promise<string[]> {
  if (findNatsServer() === null) return ['This drill needs a nats-server (Debian: apt-get install nats-server).'];
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [`This drill needs a PostgreSQL: ${postgres}.`];
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-drill-'));
  const { db, close } = openDb(postgres.url, 4);
  const nats = await startNatsServer();
  const worlds: World[] = [];
  try {
    const env = { SECRET_KEY: randomUUID(), NATS_URL: nats.url, PUSH: 'off' };
    const databaseUrl = postgres.url;
    const web = await worldWithOwnMailServer({ databaseUrl, env: { ...env, ROLE: 'web' } });
    worlds.push(web);
    worlds.push(await startWorld({ databaseUrl, publicUrl: web.url, env: { ...env, ROLE: 'worker', SMTP_URL: web.smtpUrl } }));
    const gateways: World[] = [];
    for (const _gateway of [1, 2]) gateways.push(await startWorld({ env: { NATS_URL: nats.url, ROLE: 'gateway' } }));
    worlds.push(...gateways);
    return await causeOutages({ nats, web, gateways, db, folder }, options, log);
  } finally {
    for (const world of worlds.reverse()) await world.close();
    await nats.close();
    await close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function causeOutages(scene: Scene, options: NatsAwayOptions, log: (line: string) => void): Promise<string[]> {
  const { nats, web, gateways, db, folder } = scene;
  let turn = 0;
  const gateway = () => (gateways[turn++ % gateways.length] as World).url;
  // As a proxy in front of them divides the calls.
  const player = agentPlayer({ route: (key) => (key === 'POST /agent/changes' ? gateway() : web.url), folder });
  const all = await households(web, db, player, options.households);
  const agents = all.flatMap((household) => household.agents);
  const [reporting] = all as [Household];
  const guardian = await acceptedGuardian(web, reporting.holder);
  log(`${agents.length} agents of ${all.length} accounts wait at ${gateways.length} gateways`);

  const contact = contactWatch(db);
  // After a detection, silence counts within two minutes.
  for (const agent of agents) await agent.report({ ...newDetection(), start: 'system' });
  const acknowledgedAll = () => agents.every(({ acknowledged }) => acknowledged.size > 0);
  await until('a report of each agent', acknowledgedAll, limits.settled);
  const changing = agents.filter(({ holder }) => holder !== reporting.holder);
  const changes = dashboardChanges(changing, { route: () => web.url, pauseMs: pauses.changes });
  const reports = reportedDetections(reporting.agents, pauses.reports);
  const allWait = () => agents.every((agent) => agent.waits());
  await until('every agent to wait', allWait, limits.settled);
  await sleep(pauses.calm);

  const problems: string[] = [];
  const outage = async (what: string, begin: () => Promise<unknown>, ms: number, end: () => Promise<unknown>) => {
    const began = performance.now();
    await begin();
    await sleep(ms);
    await end();
    const back = performance.now();
    await sleep(pauses.calm);
    const isOfMeanwhile = (at: number) => at >= began && at < back;
    const indices = changes.made.flatMap((change, index) => (isOfMeanwhile(change.began) ? [index] : []));
    const latencies = () => changes.latencies((at) => Math.max(at, back)).filter((_latency, index) => indices.includes(index));
    const areInForce = () => latencies().every((latency) => latency < Number.POSITIVE_INFINITY);
    await until('the changes of meanwhile', areInForce, limits.settled, 100).catch(() => {});
    const reported = reports.latencies(began, back);
    const calls = player.tried.filter((one) => one.key === 'POST /agent/changes' && isOfMeanwhile(one.ended));
    const countOf = (...statuses: number[]) => calls.filter(({ status }) => statuses.includes(status)).length;
    log(`${what} for ${ms / 1_000} s: ${countOf(200)} polls answered, ${countOf(503)} refused, ${countOf(0)} without an answer`);
    log(`  changes in force after it was back: ${sentenceOf(latencies())}`);
    log(`  detections until they were stored: ${sentenceOf(reported)}`);
    problems.push(...lateChanges(latencies(), limits.inForce).map((sentence) => `${what} for ${ms / 1_000} s: ${sentence}`));
    if (reported.some((latency) => latency > limits.acknowledged)) problems.push(`a detection waited while ${what}`);
    const others = new Set(calls.map(({ status }) => status).filter((status) => ![0, 200, 503].includes(status)));
    if (others.size) problems.push(`gateways answered with ${[...others].join(', ')} while ${what}`);
  };
  for (const ms of options.outages) await outage('NATS was away', nats.kill, ms, nats.start);
  const [killed] = gateways as [World];
  await outage('a gateway was away', () => killed.killServer('SIGKILL'), pauses.gatewayAway, killed.startServer);

  await Promise.all([changes.stop(), reports.stop()]);
  await until('every change to be in force', () => changes.areInForce(), limits.settled).catch(() => {});
  await until('every detection to be acknowledged', () => reports.areAcknowledged(), limits.settled).catch(() => {});
  log(`all changes in force: ${sentenceOf(changes.latencies())}`);
  const failedReports = player.tried.filter(({ key, status }) => key === 'POST /agent/detections' && status !== 200).length;
  const others = agents.length;
  const { mails, copies, wrong } = await reports.compare(db, web.mailbox, [reporting.holder.email, guardian.email], others);
  log(`${reports.reported.size + others} detections, ${mails} mails, ${copies} of them a second copy`);
  const { oldest, outages } = await contact.stop();
  log(`oldest contact ${(oldest / 1_000).toFixed(0)} s`);
  await Promise.all(agents.map((agent) => agent.close()));
  return [
    ...problems,
    ...(changes.areInForce() ? [] : ['a change never came into force']),
    ...(failedReports ? [`${failedReports} reports of detections were not answered with 200`] : []),
    ...wrong,
    ...(copies ? [`${copies} of ${mails} mails came twice`] : []),
    ...outages,
    ...outageMails(await web.mailbox()),
  ];
}
