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
/** Maximum milliseconds per call. */
const aim = 50;

/** Compares the calls of an account with a hundred thousand alerts with those of an account with two. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const world = await startWorld();
  try {
    const [large, small] = [await registeredPerson(world), await registeredPerson(world)];
    const [device, otherDevice] = [await linkedDevice(world, large), await linkedDevice(world, small)];
    const alertIds = [await openAlert(world.url, device.token), await openAlert(world.url, otherDevice.token)] as const;
    const postmaster = await findPostmaster(join(world.dataDir, 'postgres', 'cluster'));
    if (!postmaster) throw new Error('The database of the bench does not run.');
    const { db, close } = openDb(urlOf(postmaster.socketFolder), 1);
    await growAlerts(db, device.uuid, alerts, new Date());
    await close();
    log(`an account with ${alerts} alerts, and one with two`);

    const page = (token: string, offset: number) => call(world.url, 'GET /web/detections', { token, query: { offset, length: 25 } });
    const readAlert = (token: string, id: string) => call(world.url, 'GET /web/detections/:id', { token, params: { id } });
    const rows: [name: string, here: () => Promise<unknown>, there: () => Promise<unknown>][] = [
      ['history, first page and newest not stopped', () => page(large.token, 0), () => page(small.token, 0)],
      [`history, offset ${alerts / 2}`, () => page(large.token, alerts / 2), () => page(small.token, 0)],
      ['one alert by its id', () => readAlert(large.token, alertIds[0]), () => readAlert(small.token, alertIds[1])],
    ];
    const results: Row[] = [];
    for (const [name, inLarge, inSmall] of rows) {
      const durations: { here: number[]; there: number[] } = { here: [], there: [] };
      for (let n = 0; n < times; n++) {
        durations.there.push(await measure(inSmall));
        durations.here.push(await measure(inLarge));
      }
      const common = { unit: 'ms', peer: 'the account with two alerts', peer_value: median(durations.there), aim: { at_most: aim } };
      results.push({ name: `${name}, median of ${times}`, value: median(durations.here), ...common });
    }
    return results;
  } finally {
    await world.close();
  }
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function openAlert(url: string, token: string): Promise<string> {
  const uuid = randomUUID();
  const common = {
    name: 'Remote helper',
    category: 'RemoteControl',
    details: '',
    blocked: false,
    certainty: 'certain',
    why: '',
    start: 'person',
  } as const;
  const time = new Date(Date.now() - 20_000_000).toISOString();
  await call(url, 'POST /agent/detections', { token, body: { detections: [{ uuid, time, identifier: 'bench-open', ...common }] } });
  return uuid;
}
