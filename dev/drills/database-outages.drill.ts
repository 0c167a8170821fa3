import { setTimeout as sleep } from 'node:timers/promises';
import { admin } from '@porchlight/server/testing/global-setup.ts';
import { openTestPostgres, type TestPostgres } from '../test-postgres.ts';
import { until } from '../until.ts';
import { type Kind, kindsOfCalls } from './kinds-of-calls.ts';
import { type Answered, loadOn, openLoop } from './open-loop.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';
import { detectionHistory, waitForMails } from './reported-alerts.ts';

export const minutes = 3;

type Log = (line: string) => void;
type OwnWorld = Awaited<ReturnType<typeof worldWithOwnMailServer>>;

/** In milliseconds. */
const stopMax = 15_000;
const endConnectionsEvery = 1_000;
const downTime = 1_000;
/** How soon after a restart every kind of call must be served. */
const servedWithin = 2_000;

const seconds = 60;
/** How often PostgreSQL restarts meanwhile. */
const restarts = 3;
/** Calls a second. */
const rate = 200;

/**
 * While calls of every kind arrive, ends all of the server's connections to PostgreSQL every second, and restarts PostgreSQL. Then stops the
 * server in the middle of that, starts it again, and compares what it accepted with what it stored and sent. Returns the problems.
 */
export async function drill(log: Log): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [`This drill needs a PostgreSQL: ${postgres}.`];
  try {
    const { restart } = postgres;
    if (!restart) return ['The PostgreSQL of TEST_DATABASE_URL is not ours, so this drill does not restart it. Unset TEST_DATABASE_URL.'];
    const world = await worldWithOwnMailServer({ databaseUrl: postgres.url });
    try {
      return await causeOutages(world, { ...postgres, restart }, log);
    } finally {
      await world.close();
    }
  } finally {
    await postgres.stop();
  }
}

async function causeOutages(
  world: OwnWorld,
  postgres: TestPostgres & { restart(downMs: number): Promise<void> },
  log: Log,
): Promise<string[]> {
  const load = loadOn(world.url, rate * 2);
  const { kinds, accepted } = await kindsOfCalls(world, load);
  const problems: string[] = [];
  const terminator = endConnections(postgres.url);
  const answers = new Map<Kind, TimedAnswer[]>(kinds.map((kind) => [kind, []]));
  let sent = 0;
  const callNext = async (meant: number): Promise<Answered> => {
    const kind = kinds[sent++ % kinds.length] as Kind;
    const answer = await kind.send(meant);
    answers.get(kind)?.push({ ...answer, at: performance.now() });
    return answer;
  };

  const calls = openLoop(rate, seconds, callNext);
  for (let restart = 1; restart <= restarts; restart++) {
    await sleep((seconds * 1_000) / (restarts + 1) - downTime);
    await postgres.restart(downTime);
    const waits = await Promise.all([...answers].map(async ([kind, ofKind]) => ({ kind, ms: await untilServed(kind, ofKind) })));
    const slowest = waits.reduce((one, other) => (other.ms > one.ms ? other : one));
    const sentence = `restart ${restart} of PostgreSQL: ${slowest.kind.name} was served last, after ${slowest.ms.toFixed(0)} ms`;
    log(sentence);
    if (slowest.ms > servedWithin) problems.push(sentence);
  }
  await calls;
  const lived = world.isServerRunning();
  const meanwhile = openLoop(rate, 3, callNext);
  await sleep(1_000);
  problems.push(...problemsOf(answers, log));
  const stopStartedAt = performance.now();
  const exitCode = await world.killServer('SIGTERM');
  const stopSentence = `SIGTERM ended the server after ${(performance.now() - stopStartedAt).toFixed(0)} ms with exit code ${exitCode}`;
  log(stopSentence);
  if (!lived) problems.push('the server ended although nobody stopped it');
  else if (exitCode !== 0 || performance.now() - stopStartedAt > stopMax) problems.push(stopSentence);
  await meanwhile;
  const terminated = await terminator.stop();
  log(`${terminated} connections were ended`);
  if (terminated < seconds) problems.push(`only ${terminated} connections were ended, so little was tested`);

  await world.startServer();
  await accepted.reportAgain();
  problems.push(...(await accepted.wrongEntries()));
  const { holder, detections, recipients } = accepted;
  const alerts = await detectionHistory(world, holder);
  const { wrong, copies, mails, ...counts } = await waitForMails(world, holder, detections, alerts, recipients);
  log(`${counts.acknowledged} detections acknowledged, ${counts.alerts} alerts to ${counts.people} people, ${mails} mails`);
  load.close();
  return [...problems, ...wrong, ...(copies ? [`${copies} of ${mails} mails arrived twice`] : [])];
}

/** Ends every connection of the server each second. `stop` returns how many it ended. */
function endConnections(url: string): { stop(): Promise<number> } {
  const stopping = new AbortController();
  const statement = `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  const loop = async () => {
    let ended = 0;
    while (!stopping.signal.aborted) {
      // Fails while PostgreSQL restarts.
      ended += (await admin(url, statement).catch(() => [])).length;
      await sleep(endConnectionsEvery, undefined, { signal: stopping.signal }).catch(() => {});
    }
    return ended;
  };
  const ended = loop();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

/** `at`: when it arrived, in milliseconds. */
type TimedAnswer = Answered & { at: number };

/** Milliseconds until a call of this kind is served: one of `answers`, or of its own, which are added to them. Gives up after thirty seconds. */
async function untilServed(kind: Kind, answers: TimedAnswer[]): Promise<number> {
  const startedAt = performance.now();
  const wasServed = () => answers.some(({ at, status }) => at >= startedAt && kind.statuses.includes(status));
  const condition = async () => {
    if (!wasServed()) answers.push({ ...(await kind.send()), at: performance.now() });
    return wasServed();
  };
  await until('a served call', condition, 30_000, 50).catch(() => {});
  return performance.now() - startedAt;
}

/** A machine that cannot serve all of these calls refuses some with 503 (docs/decisions/0023). */
function problemsOf(answers: Map<Kind, TimedAnswer[]>, log: Log): string[] {
  const problems: string[] = [];
  for (const [{ name, statuses }, ofKind] of answers) {
    const refusals = ofKind.filter(({ status }) => status === 503);
    const served = ofKind.filter(({ status }) => statuses.includes(status));
    log(`${name}: ${served.length} of ${ofKind.length} served, ${refusals.length} refused for now`);
    const others = new Set(
      ofKind.filter(({ status }) => status !== 503 && !statuses.includes(status)).map(({ status }) => status || 'nothing'),
    );
    if (others.size) problems.push(`${name} was answered with ${[...others].join(' and ')}`);
    if (refusals.some(({ retry_after }) => retry_after === null)) problems.push(`${name} was refused without saying when to try again`);
    if (served.length === 0) problems.push(`no call for ${name} was served`);
  }
  return problems;
}
