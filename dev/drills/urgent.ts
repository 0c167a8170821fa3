import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '@porchlight/server/db/open.ts';
import { enqueuer } from '@porchlight/server/jobs/queue.ts';
import { systemClock } from '@porchlight/server/lib/clock.ts';
import { call } from '../call.ts';
import { acceptedGuardian } from '../guardians.ts';
import { linkedDevice, registeredPerson } from '../people.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { until } from '../until.ts';
import { startWorld, type World } from '../world.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';

export interface UrgentDrill {
  servers: 1 | 2;
  /** How many weekly mails wait. */
  weeklies: number;
  /** How many alerts come meanwhile, one every so many milliseconds. */
  alerts: number;
  every_ms: number;
  /** How long the mail server refuses everyone afterwards, in milliseconds, while as many alerts come. */
  outage_ms: number;
}

export interface UrgentResult {
  /** From the answer that a detection is stored to the acceptance of each mail about it, in milliseconds. */
  p50: number;
  p95: number;
  longest: number;
  mails: number;
  /** Weekly mails that were accepted meanwhile. */
  weeklies: number;
  /** From when the mail server is back until the last alert of the outage is accepted, in milliseconds. */
  recovery: number;
  wrong: string[];
}

const hanging = 'hangs.example';
const mail_ms = 300;

/**
 * Alerts while weekly mails wait, at a mail server that takes 300 ms a mail and hangs at one recipient's domain; and then a while in which it refuses
 * everyone.
 */
export async function urgentDrill({ servers, weeklies, alerts, every_ms, outage_ms }: UrgentDrill): Promise<UrgentResult> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') throw new Error(postgres);
  const shared = { databaseUrl: postgres.url, env: { SECRET_KEY: randomUUID() } };
  const closing: (() => Promise<unknown>)[] = [postgres.stop];
  try {
    const first = await worldWithOwnMailServer(shared);
    closing.push(first.close);
    const worlds: World[] = [first];
    if (servers === 2) {
      const second = await startWorld({ ...shared, env: { ...shared.env, SMTP_URL: first.smtpUrl } });
      closing.push(second.close);
      worlds.push(second);
    }
    const person = await registeredPerson(first);
    const bob = await acceptedGuardian(first, person, 'Bob');
    await acceptedGuardian(first, person, 'Hanna', hanging);
    const { token } = await linkedDevice(first, person);
    await queueWeeklies(postgres.url, weeklies);

    let refuses = false;
    first.watch(async (step, to) => {
      if (step !== 'rcpt') return;
      if (refuses) throw Object.assign(new Error('5.7.1 Relay access denied'), { responseCode: 554 });
      await sleep(to.endsWith(hanging) ? 3_600_000 : mail_ms, undefined, { ref: false });
    });
    const reached = [person.email, bob.email];
    const stored = new Map<string, number>();
    const report = async (n: number) => {
      const uuid = randomUUID();
      const common = { category: 'RemoteControl', details: '/tmp/helper', blocked: false, certainty: 'certain' } as const;
      const seen = { uuid, name: `Helper ${uuid}`, identifier: uuid, time: new Date().toISOString(), ...common };
      await call(worlds[n % worlds.length]?.url ?? '', 'POST /agent/detections', { token, body: { detections: [seen] } });
      stored.set(uuid, Date.now());
    };
    const accepted = async () =>
      (await first.mailbox())
        .filter(({ to }) => reached.includes(to[0] ?? ''))
        .flatMap(({ subject, received }) => {
          const since = stored.get(/Helper ([0-9a-f-]{36})/.exec(subject)?.[1] ?? '');
          return since === undefined ? [] : [new Date(received).getTime() - since];
        });
    const everyOne = async () => (await accepted()).length >= stored.size * reached.length;

    for (let n = 0; n < alerts; n++) {
      await report(n);
      await sleep(every_ms);
    }
    const wrong: string[] = [];
    await until('every alert to be accepted', everyOne, 120_000, 250).catch(() =>
      wrong.push('an alert was not accepted within two minutes'),
    );
    const latencies = (await accepted()).toSorted((a, b) => a - b);
    const weekly = (await first.mailbox()).filter(({ subject }) => subject === 'A quiet week').length;

    refuses = true;
    for (let n = 0; n < alerts; n++) {
      await report(n);
      await sleep(outage_ms / alerts);
    }
    refuses = false;
    const back = performance.now();
    await until('every alert of the outage to be accepted', everyOne, 180_000, 250).catch(() =>
      wrong.push('an alert of the outage was lost'),
    );
    const recovery = performance.now() - back;
    const all = await accepted();
    if (all.length > stored.size * reached.length) wrong.push(`${all.length - stored.size * reached.length} mails came twice`);
    const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? Number.NaN;
    return { p50: at(0.5), p95: at(0.95), longest: at(1), mails: latencies.length, weeklies: weekly, recovery, wrong };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** As the weekly job of each account queues them. */
async function queueWeeklies(database_url: string, how_many: number): Promise<void> {
  const { db, close } = openDb(database_url, 2);
  const words = { subject: 'A quiet week', html: '<p>Nothing had to be stopped.</p>', text: 'Nothing had to be stopped.' };
  try {
    for (let from = 0; from < how_many; from += 500) {
      await db.transaction().execute(async (trx) => {
        for (let n = from; n < Math.min(from + 500, how_many); n++) {
          const to = `person-${n}@town-${n % 50}.example`;
          await enqueuer(systemClock)(trx, 'mail', `weekly:drill:${n}`, { to, ...words }, undefined, { urgency: 'bulk' });
        }
      });
    }
  } finally {
    await close();
  }
}
