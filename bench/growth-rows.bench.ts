import { day } from '@porchlight/contract/time.ts';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { detectionStore } from '@porchlight/server/features/detections/store.ts';
import { accountOfDevice, devicesWithAlerts, growAlerts, grownId, growService } from '@porchlight/server/testing/grow.ts';
import { withTwoDatabases } from './growth-databases.ts';
import { type HotQuery, hotQueries } from './growth-queries.ts';

const sizes = { small: 1_000, large: 1_000_000 };
const times = 200;
/** Slow queries run less often: they end after so many milliseconds, once these rounds are done. */
const slow = { times: 10, ms: 5_000 };
const warmUp = 20;
/** How much slower than with few rows. */
const flat = { ratio_at_most: 1.2 };
/** The device whose account has very many alerts: the first one after those with a hundred. */
const loud = { device: devicesWithAlerts + 1, alerts: 100_000 };

/** Compares every hot query on a million rows of each table with the same query on a thousand, and on an account with a hundred thousand alerts with an account of a hundred. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const results: Row[] = [];
  const wholeTables: string[] = [];
  await withTwoDatabases(async (small, large) => {
    const now = new Date();
    await growService(small.db, sizes.small, now);
    const startedAt = performance.now();
    await growService(large.db, sizes.large, now);
    log(`${sizes.large} rows of each table, after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);

    const add = async (name: string, here: HotQuery, there: HotQuery, peer: string) => {
      results.push({ name: `${name}, median`, ...(await compare(name, here, there)), unit: 'ms', peer, aim: flat });
      wholeTables.push(...(await large.readWhole(() => here(1))).map((problem) => `${name} reads all of ${problem}`));
    };
    const inSmall = hotQueries(small.db, sizes.small, now);
    for (const [name, inLarge] of Object.entries(hotQueries(large.db, sizes.large, now))) {
      await add(name, inLarge, inSmall[name] as HotQuery, `${sizes.small} rows`);
    }
    const ofLoud = grownId('device', loud.device);
    await growAlerts(large.db, ofLoud, loud.alerts, now);
    // An alert that was not stopped, older than all of those.
    await growAlerts(large.db, ofLoud, 1, new Date(now.getTime() - 20 * day), false);
    const queries = hotQueries(large.db, sizes.large, now);
    for (const name of ['history, first page', 'one alert by its id', 'the newest alert not stopped', "an account's devices"]) {
      const query = queries[name] as HotQuery;
      await add(`an account with ${loud.alerts} alerts: ${name}`, () => query(loud.device), query, 'an account with 100 alerts');
    }
    const [deep, shallow] = [loud.alerts / 2, 50];
    const page = (n: number, offset: number) =>
      detectionStore(large.db, { now: () => now })
        .list(accountOfDevice(n, sizes.large), { offset, length: 25 })
        .then(({ length }) => length);
    const deepPage = () => page(loud.device, deep);
    await add(
      `an account with ${loud.alerts} alerts: history, offset ${deep}`,
      deepPage,
      (n) => page(n, shallow),
      `offset ${shallow} of 100`,
    );
  });
  for (const line of wholeTables) log(line);
  const noPeer = { peer: null, peer_value: null };
  results.push({
    name: 'hot queries that read a large table whole',
    value: wholeTables.length,
    unit: 'statements',
    ...noPeer,
    aim: { at_most: 0 },
  });
  return results;
}

/** Runs both in turns. Milliseconds, the medians. */
async function compare(name: string, here: HotQuery, there: HotQuery): Promise<{ value: number; peer_value: number }> {
  const durations: { here: number[]; there: number[] } = { here: [], there: [] };
  const startedAt = performance.now();
  const isSlow = (round: number) => round >= slow.times && performance.now() - startedAt > slow.ms;
  for (let round = -warmUp; round < times && !isSlow(round); round++) {
    const n = 1 + (Math.abs(round) % devicesWithAlerts);
    for (const [query, list] of [
      [there, durations.there],
      [here, durations.here],
    ] as const) {
      const sentAt = performance.now();
      const found = await query(n);
      if (round >= 0) list.push(performance.now() - sentAt);
      if (!found) throw new Error(`${name}: it found nothing.`);
    }
  }
  return { value: median(durations.here), peer_value: median(durations.there) };
}
