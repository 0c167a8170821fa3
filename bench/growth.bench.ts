import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld } from '@porchlight/dev/world.ts';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { openDb } from '@porchlight/server/db/open.ts';
import { growAlerts } from '@porchlight/server/testing/grow.ts';

const alerts = 100_000;
const times = 30;
/** In milliseconds, for each call: what a page that looks at once may take. */
const aim = 50;

/** What the pages of an account with a hundred thousand alerts cost, beside the same pages of an account with two. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const world = await startWorld();
  try {
    const [large, small] = [await registeredPerson(world), await registeredPerson(world)];
    const [device, other] = [await linkedDevice(world, large), await linkedDevice(world, small)];
    const ids = [await openAlert(world.url, device.token), await openAlert(world.url, other.token)] as const;
    const postmaster = await findPostmaster(join(world.dataDir, 'postgres', 'cluster'));
    if (!postmaster) throw new Error('The database of the bench does not run.');
    const { db, close } = openDb(urlOf(postmaster.socketFolder), 1);
    await growAlerts(db, device.uuid, alerts, new Date());
    await close();
    log(`an account with ${alerts} alerts, and one with two`);

    const page = (token: string, offset: number) => call(world.url, 'GET /web/detections', { token, query: { offset, length: 25 } });
    const one = (token: string, id: string) => call(world.url, 'GET /web/detections/:id', { token, params: { id } });
    const rows: [name: string, here: () => Promise<unknown>, there: () => Promise<unknown>][] = [
      ['history, first page and newest not stopped', () => page(large.token, 0), () => page(small.token, 0)],
      [`history, offset ${alerts / 2}`, () => page(large.token, alerts / 2), () => page(small.token, 0)],
      ['one alert by its id', () => one(large.token, ids[0]), () => one(small.token, ids[1])],
    ];
    const results: Row[] = [];
    for (const [name, here, there] of rows) {
      const found: { here: number[]; there: number[] } = { here: [], there: [] };
      // In turns, so that both have the same neighbours.
      for (let n = 0; n < times; n++) {
        found.there.push(await timed(there));
        found.here.push(await timed(here));
      }
      const common = { unit: 'ms', peer: 'the account with two alerts', peer_value: median(found.there), aim: { at_most: aim } };
      results.push({ name: `${name}, median of ${times}`, value: median(found.here), ...common });
    }
    return results;
  } finally {
    await world.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** Reports a program that was not stopped; answers the detection's id. */
async function openAlert(url: string, token: string): Promise<string> {
  const uuid = randomUUID();
  const common = { name: 'Remote helper', category: 'RemoteControl', details: '', blocked: false, certainty: 'certain' } as const;
  const time = new Date(Date.now() - 20_000_000).toISOString();
  await call(url, 'POST /agent/detections', { token, body: { detections: [{ uuid, time, identifier: 'bench-open', ...common }] } });
  return uuid;
}
