import type { Detection } from '@porchlight/contract/detections.ts';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';

export interface KillResult {
  rounds: number;
  /** Who are told of each alert. */
  people: number;
  acknowledged: number;
  alerts: number;
  mails: number;
  /** Mails that arrived a second time under the Message-ID they had before. */
  copies: number;
  /** Everything that should not have been, one sentence each. */
  wrong: string[];
}

/** What was acknowledged, against what is in the history and in the mailboxes of these people. `missing`: mails that should be there. */
export function compare(acknowledged: Set<string>, alerts: Detection[], mails: MailboxMail[], people: string[]) {
  const wrong: string[] = [];
  const counted = alerts.reduce((sum, alert) => sum + alert.info.times, 0);
  if (acknowledged.size === 0) wrong.push('nothing was acknowledged, so nothing was tested');
  if (counted !== acknowledged.size) wrong.push(`${acknowledged.size} detections were acknowledged and the history counts ${counted}`);
  if (new Set(alerts.map(({ uuid }) => uuid)).size !== alerts.length) wrong.push('an alert stands in the history twice');
  for (const { uuid } of alerts) if (!acknowledged.has(uuid)) wrong.push(`alert ${uuid} was never acknowledged`);
  const found = byAlertAndPerson(mails);
  let total = 0;
  let copies = 0;
  let missing = 0;
  for (const { uuid } of alerts) {
    for (const person of people) {
      const ids = found.get(`${uuid} ${person}`) ?? [];
      const different = new Set(ids).size;
      total += ids.length;
      copies += ids.length - different;
      if (different === 0) missing += 1;
      if (different !== 1) wrong.push(`alert ${uuid} has ${different} different mails to one person`);
    }
  }
  return { acknowledged: acknowledged.size, alerts: alerts.length, mails: total, copies, missing, wrong };
}

/** The Message-IDs of the mails about an alert to a person, by `<alert> <address>`. */
function byAlertAndPerson(mails: MailboxMail[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { subject, to, message_id } of mails) {
    const uuid = /Helper ([0-9a-f-]{36})/.exec(subject)?.[1];
    if (!uuid) continue;
    const key = `${uuid} ${to[0]}`;
    found.set(key, [...(found.get(key) ?? []), message_id]);
  }
  return found;
}
