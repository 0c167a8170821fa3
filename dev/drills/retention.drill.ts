import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '@porchlight/server/db/open.ts';
import { enqueuer } from '@porchlight/server/jobs/queue.ts';
import { systemClock } from '@porchlight/server/lib/clock.ts';
import { fillWithOldRows, oldRows, recentRows } from '@porchlight/server/testing/old-rows.ts';
import { linkedDevice, registeredPerson } from '../people.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { startWorld } from '../world.ts';
import { type Answered, acceptedDurations, loadOn, openLoop, percentile } from './open-loop.ts';
import { readingsOf } from './server-readings.ts';

export const minutes = 10;

/** How many rows are old enough. As many others are recent. */
const rows = 1_000_000;
/** Calls a second. */
const rate = 10;
/** Of measuring without deletion, before it and after it. */
const seconds = 30;

/** The p95 with deletion by that without; a share of the calls; megabytes; milliseconds. */
const limits = { p95_ratio: 2, more_refused: 0.01, memory: 200, time: 30 * 60_000 };

type Log = (line: string) => void;

/** Deletes very many old rows beside as many recent ones, while the server answers calls. */
export async function drill(log: Log): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') throw new Error(postgres);
  const world = await startWorld({ databaseUrl: postgres.url }).catch(async (reason: unknown) => {
    await postgres.stop();
    throw reason;
  });
  const database = openDb(postgres.url, 2);
  const load = loadOn(world.url, 100);
  try {
    const person = await registeredPerson(world);
    const { uuid: device } = await linkedDevice(world, person);
    const filledAt = performance.now();
    await fillWithOldRows(database.db, device, rows);
    log(`${rows} old rows and ${rows} recent ones were written in ${inSeconds(performance.now() - filledAt)}`);

    const paths = ['/web/devices', '/web/detections?offset=0&length=25', '/web/acts'];
    let sent = 0;
    const call = (meant: number) => load.send({ path: paths[sent++ % paths.length] ?? '', token: person.token, meant });
    const readings = readingsOf(world);
    await openLoop(rate, 5, call);
    const before = await openLoop(rate, seconds, call);
    const memoryBefore = await readings.memory();

    const beginAt = performance.now();
    await enqueuer(systemClock)(database.db, 'retention', 'retention:drill:0', { hour: 'drill', part: 0 });
    const during: Answered[] = [];
    let memoryMost = memoryBefore;
    const isRunning = async () => (await waitingParts(database.db)) > 0;
    while ((await isRunning()) && performance.now() - beginAt < limits.time) {
      during.push(...(await openLoop(rate, 1, call)));
      memoryMost = Math.max(memoryMost, await readings.memory());
    }
    const duration = performance.now() - beginAt;
    const old = await oldRows(database.db);
    const recent = await recentRows(database.db);
    await sleep(2_000);
    const after = await openLoop(rate, seconds, call);

    const without = acceptedDurations([...before, ...after]);
    const withDeletion = acceptedDurations(during);
    const ratioOf = (share: number) => percentile(withDeletion, share) / percentile(without, share);
    const words = (values: number[]) =>
      [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${percentile(values, share).toFixed(1)} ms`).join(', ');
    log(`this computer's load is ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} processors`);
    log(`all old rows were deleted in ${inSeconds(duration)}, ${Math.round(rows / (duration / 1000))} a second`);
    log(`without deletion, ${without.length} calls: ${words(without)}`);
    log(`with deletion, ${withDeletion.length} calls: ${words(withDeletion)}`);
    log(`ratio: p95 ${ratioOf(0.95).toFixed(2)} (aim ${limits.p95_ratio}), p99 ${ratioOf(0.99).toFixed(2)}`);
    log(`memory of the server: ${memoryBefore} MB before, ${memoryMost} MB at most`);
    const shareRefused = (answers: Answered[]) => 1 - acceptedDurations(answers).length / answers.length;
    const refused = [shareRefused([...before, ...after]), shareRefused(during)] as const;
    const inPercent = (share: number) => `${(share * 100).toFixed(1)}%`;
    log(`refused: ${inPercent(refused[0])} of the calls without deletion, ${inPercent(refused[1])} with it`);
    return [
      ...(old === 0 ? [] : [`${old} old rows are left`]),
      ...(recent >= rows ? [] : [`of ${rows} recent rows ${recent} are left`]),
      ...(ratioOf(0.95) <= limits.p95_ratio
        ? []
        : [`the p95 of calls is ${ratioOf(0.95).toFixed(2)} times as long while rows are deleted`]),
      ...(memoryMost - memoryBefore <= limits.memory ? [] : [`the server took ${memoryMost - memoryBefore} MB more memory`]),
      ...(refused[1] <= refused[0] + limits.more_refused
        ? []
        : [`${inPercent(refused[1])} of the calls were refused while rows were deleted`]),
    ];
  } finally {
    load.close();
    await database.close();
    await world.close();
    await postgres.stop();
  }
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

async function waitingParts(db: Db): Promise<number> {
  const rows = await db.selectFrom('jobs').select('id').where('kind', '=', 'retention').where('done_at', 'is', null).execute();
  return rows.length;
}
