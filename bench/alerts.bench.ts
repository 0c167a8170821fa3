import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '@porchlight/dev/bench-row.ts';
import { openLoop, percentile } from '@porchlight/dev/drills/open-loop.ts';
import { type WorldWithOwnMailServer, worldWithOwnMailServer } from '@porchlight/dev/drills/own-mail-server.ts';
import { type AlertReports, alertReports } from '@porchlight/dev/drills/reported-alerts-open-loop.ts';
import { isWeekly, queueWeeklies } from '@porchlight/dev/drills/urgent-weeklies.ts';
import { acceptedGuardian } from '@porchlight/dev/guardians.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { until } from '@porchlight/dev/until.ts';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';

const weeklies = 10_000;
const mail_ms = 100;
const outage = { ms: 60_000, alerts: 20, weeklies: 100 };

type Log = (line: string) => void;
type Stage = (world: WorldWithOwnMailServer, alerts: AlertReports, log: Log) => Promise<Row[]>;

/** The delay from the scheduled time of a report to the mail server's 250 reply, for a family of two people. */
export async function bench(log: Log): Promise<Row[]> {
  const rows: Row[] = [];
  for (const stage of [alone, besideWeeklies, afterOutage]) {
    const world = await worldWithOwnMailServer();
    try {
      const person = await registeredPerson(world);
      const { email } = await acceptedGuardian(world, person, 'Bob');
      const { token } = await linkedDevice(world, person);
      const alerts = alertReports({ urls: [world.url], mailbox: world.mailbox }, token, [person.email, email]);
      rows.push(...(await stage(world, alerts, log).finally(alerts.close)));
    } finally {
      await world.close();
    }
  }
  return rows;
}

const alone: Stage = async (_world, alerts, log) => {
  const latencies = await measured(alerts, 4, 30);
  log(`alone: ${inWords(latencies)}`);
  return [row(`detection until mail accepted, p95 of ${latencies.length}`, percentile(latencies, 0.95), 300)];
};

const besideWeeklies: Stage = async (world, alerts, log) => {
  world.watch((step) => step === 'rcpt' && sleep(mail_ms, undefined, { ref: false }));
  await queueWeeklies(await databaseOf(world), weeklies);
  const latencies = await measured(alerts, 2, 30);
  const sent = (await world.mailbox()).filter(isWeekly).length;
  log(`beside ${sent} of ${weeklies} weekly mails that were sent meanwhile, ${mail_ms} ms each: ${inWords(latencies)}`);
  if (sent === 0 || sent === weeklies) throw new Error('The weekly mails were not being sent all the time.');
  const p95 = percentile(latencies, 0.95);
  const name = `detection until mail accepted, with ${weeklies} weekly mails before it, ${mail_ms} ms a mail, p95 of ${latencies.length}`;
  const tighter = row(`${name}, the tighter aim`, p95, 500);
  return [row(name, p95, 2_000), ...(p95 <= 500 ? [tighter] : [])];
};

const afterOutage: Stage = async (world, alerts, log) => {
  await measured(alerts, 4, 3);
  const endOutage = await world.outage();
  await queueWeeklies(await databaseOf(world), outage.weeklies);
  const before = (await alerts.latencies()).length;
  await openLoop((outage.alerts * 1000) / outage.ms, outage.ms / 1000, alerts.report);
  if ((await alerts.latencies()).length > before) throw new Error('A mail was accepted in the outage.');
  await endOutage();
  const backAt = Date.now();
  await alerts.allAccepted(180_000);
  const sentWeeklies = async () => (await world.mailbox()).filter(isWeekly);
  await until('every weekly mail', async () => (await sentWeeklies()).length >= outage.weeklies, 180_000, 250);
  const lastOf = (mails: { received: string }[]) => Math.max(...mails.map(({ received }) => new Date(received).getTime())) - backAt;
  const urgent = (await world.mailbox()).filter(({ subject }) => subject.includes('Helper'));
  log(`after an outage of ${outage.ms / 1000} s: ${urgent.length - before} alert mails waited, and ${outage.weeklies} weekly ones`);
  return [
    row('outage of the mail server, end until the last waiting alert was accepted', lastOf(urgent), 3_000),
    row(`outage of the mail server, end until ${outage.weeklies} waiting weekly mails were accepted`, lastOf(await sentWeeklies()), 14_000),
  ];
};

/** Reports some alerts first, which are not measured. Milliseconds. */
async function measured(alerts: AlertReports, rate: number, seconds: number): Promise<number[]> {
  await openLoop(rate, 5, alerts.report);
  await alerts.allAccepted(120_000);
  const since = performance.now();
  await openLoop(rate, seconds, alerts.report);
  await alerts.allAccepted(120_000);
  return alerts.latencies(since);
}

function row(name: string, value: number, at_most: number): Row {
  return { name, value, unit: 'ms', peer: null, peer_value: null, aim: { at_most } };
}

const inWords = (latencies: number[]) =>
  `${latencies.length} mails, p50 ${percentile(latencies, 0.5).toFixed(0)} ms, p95 ${percentile(latencies, 0.95).toFixed(0)} ms, slowest ${percentile(latencies, 1).toFixed(0)} ms`;

async function databaseOf({ dataDir }: WorldWithOwnMailServer): Promise<string> {
  const postmaster = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
  if (!postmaster) throw new Error('The database of the bench does not run.');
  return urlOf(postmaster.socketFolder);
}
