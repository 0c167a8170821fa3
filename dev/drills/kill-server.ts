import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Detection } from '@porchlight/contract/detections.ts';
import type { MailboxMail } from '@porchlight/server/outside/mail/mailbox.ts';
import { call } from '../call.ts';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import { until } from '../until.ts';
import { startWorld, type World } from '../world.ts';

export interface KillResult {
  rounds: number;
  acknowledged: number;
  alerts: number;
  mails: number;
  /** Mails that arrived a second time under the Message-ID they had before. */
  copies: number;
  /** Everything that should not have been, one sentence each. */
  wrong: string[];
}

/**
 * Kills the server with signal 9 at random moments while a device reports, `rounds` times, and then compares what was acknowledged with
 * what is there: nothing lost, nothing stored twice, one mail for each alert.
 */
export async function killServerDrill(rounds: number, log: (line: string) => void = () => {}): Promise<KillResult> {
  const world = await startWorld();
  try {
    const person = await registeredPerson(world);
    const device = await linkedDevice(world, person);
    const writer = report(world, device.token);
    for (let round = 1; round <= rounds; round++) {
      await sleep(randomInt(60, 500));
      await world.killServer('SIGKILL');
      await sleep(randomInt(0, 60));
      await world.startServer();
      log(`round ${round} of ${rounds}: ${writer.acknowledged.size} detections acknowledged`);
    }
    await writer.stop();
    const alerts = await history(world, person);
    const ours = await alertMails(world, person, alerts);
    return { rounds, acknowledged: writer.acknowledged.size, alerts: alerts.length, ...compare(writer.acknowledged, alerts, ours) };
  } finally {
    await world.close();
  }
}

/** Reports without a pause, as an agent does: the same batch again until it is acknowledged. */
function report(world: World, token: string) {
  const acknowledged = new Set<string>();
  let stopping = false;
  const done = (async () => {
    while (!stopping) {
      const detections = Array.from({ length: randomInt(1, 4) }, newDetection);
      for (;;) {
        try {
          const { stored } = await call(world.url, 'POST /agent/detections', { token, body: { detections } });
          for (const uuid of stored) acknowledged.add(uuid);
          break;
        } catch {
          await sleep(20);
        }
      }
      await sleep(5);
    }
  })();
  return {
    acknowledged,
    stop: async () => {
      stopping = true;
      await done;
    },
  };
}

/** One in five is a threat not seen before and opens an alert; the others are counted into one of three. */
function newDetection(): ReportedDetection {
  const identifier = randomInt(5) === 0 ? `threat-${randomUUID()}` : `threat-${randomInt(3)}`;
  const common = { name: 'Remote helper', category: 'RemoteControl', details: '/tmp/helper', blocked: true, certainty: 'certain' } as const;
  return { uuid: randomUUID(), time: new Date().toISOString(), identifier, ...common };
}

async function history(world: World, person: Person): Promise<Detection[]> {
  const all: Detection[] = [];
  for (;;) {
    const { items } = await call(world.url, 'GET /web/detections', { token: person.token, query: { offset: all.length, length: 100 } });
    all.push(...items);
    if (items.length < 100) return all;
  }
}

/** The mails about these alerts, once every alert has one and no more arrive. */
async function alertMails(world: World, person: Person, alerts: Detection[]): Promise<Map<string, MailboxMail[]>> {
  const look = async () => {
    const mails = (await world.mailbox()).filter((mail) => mail.to.includes(person.email));
    const byAlert = new Map<string, MailboxMail[]>(alerts.map(({ uuid }) => [uuid, []]));
    for (const mail of mails) {
      const uuid = /\/detection\/([0-9a-f-]{36})/.exec(mail.text)?.[1];
      if (uuid) byAlert.set(uuid, [...(byAlert.get(uuid) ?? []), mail]);
    }
    return byAlert;
  };
  const complete = (byAlert: Map<string, MailboxMail[]>) => [...byAlert.values()].every((mails) => mails.length > 0);
  await until('a mail for every alert', async () => complete(await look()), 180_000, 250).catch(() => {});
  await sleep(1_500);
  return look();
}

function compare(acknowledged: Set<string>, alerts: Detection[], mails: Map<string, MailboxMail[]>) {
  const wrong: string[] = [];
  const counted = alerts.reduce((sum, alert) => sum + alert.info.times, 0);
  if (acknowledged.size === 0) wrong.push('nothing was acknowledged, so nothing was tested');
  if (counted !== acknowledged.size) wrong.push(`${acknowledged.size} detections were acknowledged and the history counts ${counted}`);
  if (new Set(alerts.map(({ uuid }) => uuid)).size !== alerts.length) wrong.push('an alert stands in the history twice');
  for (const { uuid } of alerts) if (!acknowledged.has(uuid)) wrong.push(`alert ${uuid} was never acknowledged`);
  let total = 0;
  let copies = 0;
  for (const [uuid, found] of mails) {
    const ids = new Set(found.map((mail) => mail.message_id)).size;
    total += found.length;
    copies += found.length - ids;
    if (ids !== 1) wrong.push(`alert ${uuid} has ${ids} different mails`);
  }
  return { mails: total, copies, wrong };
}
