import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptedGuardian } from '../guardians.ts';
import { linkedDevice, registeredPerson } from '../people.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { startWorld, type World } from '../world.ts';
import { percentile } from './open-loop.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';
import { alertReports } from './reported-alerts-open-loop.ts';
import { isWeekly, queueWeeklies } from './urgent-weeklies.ts';

export interface UrgentDrill {
  servers: 1 | 2;
  weeklies: number;
  alerts: number;
  every_ms: number;
  /** Milliseconds in which the mail server refuses everyone. */
  outage_ms: number;
}

export interface UrgentResult {
  /** Milliseconds from the report of a detection to the acceptance of its emails. */
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
    const alertsOf = { urls: worlds.map(({ url }) => url), mailbox: firstWorld.mailbox };
    const reports = alertReports(alertsOf, token, [person.email, bob.email]);
    closeActions.push(async () => reports.close());

    for (let n = 0; n < alerts; n++) {
      await reports.report();
      await sleep(every_ms);
    }
    const problems: string[] = [];
    await reports.allAccepted(120_000).catch(() => problems.push('an alert was not accepted within two minutes'));
    const latencies = await reports.latencies();
    const weekly = (await firstWorld.mailbox()).filter(isWeekly).length;

    refuses = true;
    for (let n = 0; n < alerts; n++) {
      await reports.report();
      await sleep(outage_ms / alerts);
    }
    refuses = false;
    const returnedAt = performance.now();
    await reports.allAccepted(180_000).catch(() => problems.push('an alert of the outage was lost'));
    const recovery = performance.now() - returnedAt;
    const copies = await reports.copies();
    if (copies) problems.push(`${copies} mails came twice`);
    return {
      p50: percentile(latencies, 0.5),
      p95: percentile(latencies, 0.95),
      longest: percentile(latencies, 1),
      mails: latencies.length,
      weeklies: weekly,
      recovery,
      wrong: problems,
    };
  } finally {
    for (const close of closeActions.reverse()) await close();
  }
}
