import { randomInt, randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Detection } from '@porchlight/contract/detections.ts';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';
import { call } from '../call.ts';
import type { Person } from '../people.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

export interface AlertResult {
  people: number;
  acknowledged: number;
  alerts: number;
  mails: number;
  /** Number of emails that arrived again with the same Message-ID. */
  copies: number;
  wrong: string[];
}

/** Identifies a detection in emails, which quote at most 30 characters of a name, and no number (P18.1). */
export const helperName = (uuid: string): string =>
  `Helper ${uuid
    .replaceAll('-', '')
    .slice(0, 20)
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`;
export const helperIn = (subject: string): string | undefined => /Helper [a-p]{20}/.exec(subject)?.[0];

/** Every second detection opens an alert; the others are added to one of three. The name identifies it in emails. */
export function newDetection(): ReportedDetection {
  const uuid = randomUUID();
  return helperDetection(uuid, randomInt(2) === 0 ? `threat-${uuid}` : `threat-${randomInt(3)}`);
}

/** A blocked program with the name of this id, found just now. */
export function helperDetection(uuid: string, identifier: string): ReportedDetection {
  const commonFields = {
    category: 'RemoteControl',
    details: '/tmp/helper',
    blocked: true,
    certainty: 'certain',
    why: '',
    start: 'person',
  } as const;
  return { uuid, name: helperName(uuid), time: new Date().toISOString(), identifier, ...commonFields };
}

export async function detectionHistory(world: World, person: Person): Promise<Detection[]> {
  const allDetections: Detection[] = [];
  for (;;) {
    const { items } = await call(world.url, 'GET /web/detections', {
      token: person.token,
      query: { offset: allDetections.length, length: 100 },
    });
    allDetections.push(...items);
    if (items.length < 100) return allDetections;
  }
}

/** Waits until the API reports every alert as sent: jobs of a killed server run again after their lease. */
export async function waitForMails(
  world: World,
  person: Person,
  acknowledged: Set<string>,
  alerts: Detection[],
  people: string[],
): Promise<AlertResult> {
  const waitingAlerts = new Set(alerts.map(({ uuid }) => uuid));
  const allNotified = async () => {
    for (const uuid of waitingAlerts) {
      const { notified } = await call(world.url, 'GET /web/detections/:id', { token: person.token, params: { id: uuid } });
      if (notified?.length !== people.length || notified.some(({ state }) => state !== 'sent')) return false;
      waitingAlerts.delete(uuid);
    }
    return true;
  };
  await until('everyone to be told of every alert', allNotified, 180_000, 500).catch(() => {});
  return compare(acknowledged, alerts, await world.mailbox(), people);
}

/** Compares detections and emails. */
function compare(acknowledged: Set<string>, alerts: Detection[], mails: MailboxMail[], people: string[]): AlertResult {
  const problems: string[] = [];
  const detectionCount = alerts.reduce((sum, alert) => sum + alert.info.times, 0);
  if (acknowledged.size === 0) problems.push('nothing was acknowledged, so nothing was tested');
  if (detectionCount !== acknowledged.size)
    problems.push(`${acknowledged.size} detections were acknowledged and the history counts ${detectionCount}`);
  if (new Set(alerts.map(({ uuid }) => uuid)).size !== alerts.length) problems.push('an alert is in the history twice');
  for (const { uuid } of alerts) if (!acknowledged.has(uuid)) problems.push(`alert ${uuid} was never acknowledged`);
  const messageIds = byAlertAndPerson(mails);
  let total = 0;
  let copies = 0;
  for (const { uuid } of alerts) {
    for (const person of people) {
      const mailIds = messageIds.get(`${helperName(uuid)} ${person}`) ?? [];
      const different = new Set(mailIds).size;
      total += mailIds.length;
      copies += mailIds.length - different;
      if (different !== 1) problems.push(`alert ${uuid} has ${different} different mails to one person`);
    }
  }
  return { people: people.length, acknowledged: acknowledged.size, alerts: alerts.length, mails: total, copies, wrong: problems };
}

function byAlertAndPerson(mails: MailboxMail[]): Map<string, string[]> {
  const messageIds = new Map<string, string[]>();
  for (const { subject, to, message_id } of mails) {
    const name = helperIn(subject);
    if (!name) continue;
    const key = `${name} ${to[0]}`;
    messageIds.set(key, [...(messageIds.get(key) ?? []), message_id]);
  }
  return messageIds;
}
