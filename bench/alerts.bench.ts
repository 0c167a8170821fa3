import { randomUUID } from 'node:crypto';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { call } from '@porchlight/dev/call.ts';
import { worldWithOwnMailServer } from '@porchlight/dev/drills/own-mail-server.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';

const times = 120;

/** Delay from sending a report to the mail server's 250 reply, one alert at a time. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const world = await worldWithOwnMailServer();
  try {
    const person = await registeredPerson(world);
    const { token } = await linkedDevice(world, person);
    const latencies: number[] = [];
    for (let n = 0; n < times; n++) {
      const mailAccepted = new Promise<void>((resolve) =>
        world.watch((step, recipient) => step === 'taken' && recipient === person.email && resolve()),
      );
      const uuid = randomUUID();
      const common = { name: 'Remote helper', category: 'RemoteControl', details: '', blocked: true, certainty: 'certain' } as const;
      const detection = { uuid, time: new Date().toISOString(), identifier: `bench-${uuid}`, ...common };
      const startedAt = performance.now();
      await call(world.url, 'POST /agent/detections', { token, body: { detections: [detection] } });
      await mailAccepted;
      latencies.push(performance.now() - startedAt);
    }
    log(`${times} alerts, one at a time`);
    const sorted = latencies.toSorted((a, b) => a - b);
    const p95 = sorted[Math.ceil(times * 0.95) - 1] ?? Number.NaN;
    const common = { unit: 'ms', peer: null, peer_value: null };
    return [
      { name: `detection until mail accepted, median of ${times}`, value: median(latencies), ...common, aim: { at_most: 1_000 } },
      { name: `detection until mail accepted, p95 of ${times}`, value: p95, ...common, aim: { at_most: 1_000 } },
    ];
  } finally {
    await world.close();
  }
}
