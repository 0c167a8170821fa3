import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '@porchlight/server/db/open.ts';
import { acceptedGuardian } from '../../guardians.ts';
import { openTestPostgres } from '../../test-postgres.ts';
import { until } from '../../until.ts';
import { type WorldWithOwnMailServer, worldWithOwnMailServer } from '../own-mail-server.ts';
import { type Contact, contactWatch, outageMails } from './contact-watch.ts';
import { dashboardChanges, sentenceOf } from './dashboard-changes.ts';
import { type Household, households } from './households.ts';
import { agentPlayer } from './played-agents.ts';
import { registrations } from './registrations.ts';
import { reportedDetections } from './reported-detections.ts';

/** When a server is killed: while polls wait, in the middle of a call, and at each step of a mail. */
const killPoints = ['polls', 'report', 'change', 'register', 'rcpt', 'data', 'taken'] as const;
type Point = (typeof killPoints)[number];

export interface ThreeServersOptions {
  /** Of five devices each. */
  households: number;
  rounds: number;
  /** How long one of the servers is away at the end, in milliseconds. */
  longOutage: number;
}

/** In milliseconds. `contact`: P14.5. */
const limits = { inForce: 60_000, contact: 120_000, settled: 60_000 };
/** In milliseconds: the pause between two calls of a kind. */
const pauses = { changes: 150, reports: 400, registrations: 1_500 };
/** Points at which the mail server's answer to an email may not reach the server: each of its emails may then arrive again (P5.4). */
const midMail = new Set<Point>(['data', 'taken']);

/**
 * Three servers with one database, and agents that call them in turns. One of the servers is killed in the middle of each kind of work, and
 * started again. Then compares: each detection is stored once and its mails came once, each change is in force, and no device counted as
 * silent.
 */
export async function threeServersDrill(options: ThreeServersOptions, log: (line: string) => void = () => {}): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [`This drill needs a PostgreSQL: ${postgres}.`];
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-drill-'));
  const { db, close } = openDb(postgres.url, 4);
  const worlds: WorldWithOwnMailServer[] = [];
  const env = { SECRET_KEY: randomUUID(), TRUST_PROXY: '1', PUSH: 'off' };
  try {
    for (const _server of [1, 2, 3]) {
      const publicUrl = worlds[0] ? { publicUrl: worlds[0].url } : {};
      worlds.push(await worldWithOwnMailServer({ databaseUrl: postgres.url, env, ...publicUrl }));
    }
    return await killInTurns(worlds, db, folder, options, log);
  } finally {
    for (const world of worlds.reverse()) await world.close();
    await close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function killInTurns(
  worlds: WorldWithOwnMailServer[],
  db: Db,
  folder: string,
  options: ThreeServersOptions,
  log: (line: string) => void,
): Promise<string[]> {
  const mailbox = async () => (await Promise.all(worlds.map((world) => world.mailbox()))).flat();
  const trigger = newTrigger(worlds);
  let turn = 0;
  const route = () => (worlds[turn++ % worlds.length] as WorldWithOwnMailServer).url;
  const player = agentPlayer({ route, folder, began: (key, url) => key === 'POST /agent/detections' && trigger.midway('report', url) });
  const all = await households({ url: worlds[0]?.url ?? '', mailbox }, db, player, options.households);
  const agents = all.flatMap((household) => household.agents);
  const [reporting] = all as [Household];
  const guardian = await acceptedGuardian({ url: worlds[0]?.url ?? '', mailbox }, reporting.holder);
  const recipients = [reporting.holder.email, guardian.email];
  log(`${agents.length} agents of ${all.length} accounts wait at ${worlds.length} servers`);

  const contact = contactWatch(db);
  const changing = agents.filter(({ holder }) => holder !== reporting.holder);
  const changes = dashboardChanges(changing, { route, pauseMs: pauses.changes, began: (url) => trigger.midway('change', url) });
  const reports = reportedDetections(reporting.agents, pauses.reports);
  const people = registrations(db, { route, pauseMs: pauses.registrations, began: (url) => trigger.midway('register', url) });
  let killsInMail = 0;
  for (let round = 0; round < options.rounds; round++) {
    const point = killPoints[round % killPoints.length] ?? 'polls';
    if (midMail.has(point)) killsInMail += 1;
    const world = await trigger.killAt(point, worlds[round % worlds.length] as WorldWithOwnMailServer);
    await sleep(randomInt(0, 3_000));
    await world.startServer();
    log(`${round + 1} of ${options.rounds}, killed at ${point}: ${changes.made.length} changes, ${reports.reported.size} detections`);
    await sleep(1_000);
  }
  const [longAway] = worlds as [WorldWithOwnMailServer];
  await longAway.killServer('SIGKILL');
  await sleep(options.longOutage);
  await longAway.startServer();
  log(`one of the servers was away for ${options.longOutage / 1_000} s`);

  await Promise.all([changes.stop(), reports.stop(), people.stop()]);
  await until('every change to be in force', () => changes.areInForce(), limits.settled).catch(() => {});
  await until('every detection to be acknowledged', () => reports.areAcknowledged(), limits.settled).catch(() => {});
  const latencies = changes.latencies();
  log(`changes in force: ${sentenceOf(latencies)}`);
  const { mails, copies, wrong } = await reports.compare(db, mailbox, recipients);
  log(`${reports.reported.size} detections, ${mails} mails, ${copies} of them a second copy under the same Message-ID`);
  const wrongPeople = await people.compare(mailbox);
  log(`${people.accepted.length} people registered`);
  const found = await contact.stop();
  await Promise.all(agents.map((agent) => agent.close()));
  const unanswered = player.tried.filter(({ status }) => status === 0).length;
  log(
    `${player.tried.length} calls of agents, ${unanswered} of them without an answer; oldest contact ${(found.oldest / 1_000).toFixed(0)} s`,
  );
  return [
    ...lateChanges(latencies, limits.inForce),
    ...wrong,
    ...(copies > killsInMail * recipients.length
      ? [`${copies} of ${mails} mails came twice, with ${killsInMail} kills in the middle of mails to ${recipients.length} people`]
      : []),
    ...wrongPeople,
    ...problemsOf(found),
    ...outageMails(await mailbox()),
    ...(unanswered ? [] : ['no call of an agent was left without an answer, so nothing was tested']),
  ];
}

export const lateChanges = (latencies: number[], limit: number) => {
  const late = latencies.filter((latency) => latency > limit).length;
  return [
    ...(late ? [`${late} of ${latencies.length} changes were not in force after ${limit / 1_000} s`] : []),
    ...(latencies.length ? [] : ['nothing was changed, so nothing was tested']),
  ];
};

const problemsOf = ({ oldest, outages }: Contact) => [
  ...outages,
  ...(oldest > limits.contact ? [`the last contact of a device was ${(oldest / 1_000).toFixed(0)} s ago`] : []),
];

/** Kills the server at which the armed point is reached first. */
function newTrigger(worlds: WorldWithOwnMailServer[]) {
  let armedPoint: Point | null = null;
  let pulled: (world: WorldWithOwnMailServer) => void = () => {};
  const reach = (point: Point, world: WorldWithOwnMailServer | undefined) => {
    if (point !== armedPoint || !world) return;
    armedPoint = null;
    pulled(world);
  };
  for (const world of worlds) world.watch((step) => step !== 'kept' && reach(step, world));
  return {
    /** A call to the server at `url` has begun. */
    midway(point: Point, url: string) {
      if (point !== armedPoint) return;
      const world = worlds.find((one) => one.url === url && one.isServerRunning());
      setTimeout(reach, randomInt(0, point === 'register' ? 100 : 15), point, world);
    },
    killAt: (point: Point, waiting: WorldWithOwnMailServer) =>
      new Promise<WorldWithOwnMailServer>((resolve, reject) => {
        pulled = (world) => void world.killServer('SIGKILL').then(() => resolve(world), reject);
        armedPoint = point;
        if (point === 'polls') reach(point, waiting);
      }),
  };
}
