import type { Detection } from '@porchlight/contract/detections.ts';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';

export interface KillResult {
  rounds: number;
  people: number;
  acknowledged: number;
  alerts: number;
  mails: number;
  /** Number of emails that arrived again with the same Message-ID. */
  copies: number;
  wrong: string[];
}

/** Compares detections and emails. `missing`: emails that did not arrive. */
export function compare(acknowledged: Set<string>, alerts: Detection[], mails: MailboxMail[], people: string[]) {
  const problems: string[] = [];
  const detectionCount = alerts.reduce((sum, alert) => sum + alert.info.times, 0);
  if (acknowledged.size === 0) problems.push('nothing was acknowledged, so nothing was tested');
  if (detectionCount !== acknowledged.size)
    problems.push(`${acknowledged.size} detections were acknowledged and the history counts ${detectionCount}`);
  if (new Set(alerts.map(({ uuid }) => uuid)).size !== alerts.length) problems.push('an alert stands in the history twice');
  for (const { uuid } of alerts) if (!acknowledged.has(uuid)) problems.push(`alert ${uuid} was never acknowledged`);
  const messageIds = byAlertAndPerson(mails);
  let total = 0;
  let copies = 0;
  let missingCount = 0;
  for (const { uuid } of alerts) {
    for (const person of people) {
      const mailIds = messageIds.get(`${uuid} ${person}`) ?? [];
      const different = new Set(mailIds).size;
      total += mailIds.length;
      copies += mailIds.length - different;
      if (different === 0) missingCount += 1;
      if (different !== 1) problems.push(`alert ${uuid} has ${different} different mails to one person`);
    }
  }
  return { acknowledged: acknowledged.size, alerts: alerts.length, mails: total, copies, missing: missingCount, wrong: problems };
}

function byAlertAndPerson(mails: MailboxMail[]): Map<string, string[]> {
  const messageIds = new Map<string, string[]>();
  for (const { subject, to, message_id } of mails) {
    const uuid = /Helper ([0-9a-f-]{36})/.exec(subject)?.[1];
    if (!uuid) continue;
    const key = `${uuid} ${to[0]}`;
    messageIds.set(key, [...(messageIds.get(key) ?? []), message_id]);
  }
  return messageIds;
}
