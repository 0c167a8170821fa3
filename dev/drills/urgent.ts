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
  weeklies: number;
  alerts: number;
  every_ms: number;
  /** Milliseconds in which the mail server refuses everyone. */
  outage_ms: number;
}

export interface UrgentResult {
  /** Milliseconds from storing a detection to the acceptance of its emails. */
  p50: number;
  p95: number;
  longest: number;
  mails: number;
  weeklies: number;
  /** Milliseconds from the mail server's return until the last alert of the outage is accepted. */
  recovery: number;
  wrong: string[];
}

const hangingDomain = 'hangs.example';
const mail_ms = 300;

/** Measures alerts while the mail server takes 300 ms for each email and hangs for one recipient domain; later it refuses everyone. */
export async function urgentDrill({ servers, weeklies, alerts, every_ms, outage_ms }: UrgentDrill): Promise<UrgentResult> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') throw new Error(postgres);
  const shared = { databaseUrl: postgres.url, env: { SECRET_KEY: randomUUID() } };
  const closeActions: (() => Promise<unknown>)[] = [postgres.stop];
  try {
    const firstWorld = await worldWithOwnMailServer(shared);
    closeActions.push(firstWorld.close);
    const worlds: World[] = [firstWorld];
    if (servers === 2) {
      const secondWorld = await startWorld({ ...shared, env: { ...shared.env, SMTP_URL: firstWorld.smtpUrl } });
      closeActions.push(secondWorld.close);
      worlds.push(secondWorld);
    }
    const person = await registeredPerson(firstWorld);
    const bob = await acceptedGuardian(firstWorld, person, 'Bob');
    await acceptedGuardian(firstWorld, person, 'Hanna', hangingDomain);
    const { token } = await linkedDevice(firstWorld, person);
    await queueWeeklies(postgres.url, weeklies);

    let refuses = false;
    firstWorld.watch(async (step, recipient) => {
      if (step !== 'rcpt') return;
      if (refuses) throw Object.assign(new Error('5.7.1 Relay access denied'), { responseCode: 554 });
      await sleep(recipient.endsWith(hangingDomain) ? 3_600_000 : mail_ms, undefined, { ref: false });
    });
    const recipients = [person.email, bob.email];
    const stored = new Map<string, number>();
    const report = async (n: number) => {
      const uuid = randomUUID();
      const common = { category: 'RemoteControl', details: '/tmp/helper', blocked: false, certainty: 'certain' } as const;
      const detection = { uuid, name: `Helper ${uuid}`, identifier: uuid, time: new Date().toISOString(), ...common };
      await call(worlds[n % worlds.length]?.url ?? '', 'POST /agent/detections', { token, body: { detections: [detection] } });
      stored.set(uuid, Date.now());
    };
    const acceptedMails = async () =>
      (await firstWorld.mailbox())
        .filter(({ to }) => recipients.includes(to[0] ?? ''))
        .flatMap(({ subject, received }) => {
          const storedAt = stored.get(/Helper ([0-9a-f-]{36})/.exec(subject)?.[1] ?? '');
          return storedAt === undefined ? [] : [new Date(received).getTime() - storedAt];
        });
    const allAccepted = async () => (await acceptedMails()).length >= stored.size * recipients.length;

    for (let n = 0; n < alerts; n++) {
      await report(n);
      await sleep(every_ms);
    }
    const problems: string[] = [];
    await until('every alert to be accepted', allAccepted, 120_000, 250).catch(() =>
      problems.push('an alert was not accepted within two minutes'),
    );
    const latencies = (await acceptedMails()).toSorted((a, b) => a - b);
    const weekly = (await firstWorld.mailbox()).filter(({ subject }) => subject === 'A quiet week').length;

    refuses = true;
    for (let n = 0; n < alerts; n++) {
      await report(n);
      await sleep(outage_ms / alerts);
    }
    refuses = false;
    const returnedAt = performance.now();
    await until('every alert of the outage to be accepted', allAccepted, 180_000, 250).catch(() =>
      problems.push('an alert of the outage was lost'),
    );
    const recovery = performance.now() - returnedAt;
    const allMails = await acceptedMails();
    if (allMails.length > stored.size * recipients.length)
      problems.push(`${allMails.length - stored.size * recipients.length} mails came twice`);
    const percentile = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? Number.NaN;
    return {
      p50: percentile(0.5),
      p95: percentile(0.95),
      longest: percentile(1),
      mails: latencies.length,
      weeklies: weekly,
      recovery,
      wrong: problems,
    };
  } finally {
    for (const close of closeActions.reverse()) await close();
  }
}

async function queueWeeklies(database_url: string, how_many: number): Promise<void> {
  const { db, close } = openDb(database_url, 2);
  const words = { subject: 'A quiet week', html: '<p>Nothing had to be stopped.</p>', text: 'Nothing had to be stopped.' };
  try {
    for (let batchStart = 0; batchStart < how_many; batchStart += 500) {
      await db.transaction().execute(async (trx) => {
        for (let n = batchStart; n < Math.min(batchStart + 500, how_many); n++) {
          const recipient = `person-${n}@town-${n % 50}.example`;
          await enqueuer(systemClock)(trx, 'mail', `weekly:drill:${n}`, { to: recipient, ...words }, undefined, { urgency: 'bulk' });
        }
      });
    }
  } finally {
    await close();
  }
}
