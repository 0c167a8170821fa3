import { randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { call } from '../call.ts';
import { acceptedGuardian } from '../guardians.ts';
import { linkedDevice, registeredPerson } from '../people.ts';
import { until } from '../until.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';

export interface StormResult {
  detections: number;
  mails: number;
  took: number;
  wrong: string[];
}

const batch = 50;

interface Storm {
  detections: number;
  /** Different programs; each of them is detected equally often. */
  threats: number;
  guardians: number;
  limitMs: number;
}

/**
 * Reports a series of detections for each threat; in the middle, one of several was not stopped. Each person must get one email for
 * each threat, and one for its escalation. `took`: milliseconds until the mail server accepted the last one.
 */
export async function stormDrill({ detections, threats, guardians, limitMs }: Storm): Promise<StormResult> {
  const world = await worldWithOwnMailServer();
  try {
    const person = await registeredPerson(world);
    const people = [person.email];
    for (const name of ['Bob', 'Carol', 'Dan', 'Eve', 'Fay'].slice(0, guardians))
      people.push((await acceptedGuardian(world, person, name)).email);
    const { token } = await linkedDevice(world, person);
    const mailsOfThreat = detections > threats ? 2 : 1;
    const storm = Array.from({ length: detections }, (_, n) => newDetection(n, threats, detections));
    const startedAt = Date.now();
    for (let batchStart = 0; batchStart < storm.length; batchStart += batch) {
      await call(world.url, 'POST /agent/detections', { token, body: { detections: storm.slice(batchStart, batchStart + batch) } });
    }
    const stormMails = async () => (await world.mailbox()).filter(({ subject }) => subject.includes('Storm'));
    const expected = threats * mailsOfThreat * people.length;
    await until('all mails', async () => (await stormMails()).length >= expected, limitMs * 2, 250).catch(() => {});
    const mails = await stormMails();
    const duration = Math.max(...mails.map(({ received }) => new Date(received).getTime())) - startedAt;
    const problems = duration > limitMs ? [`the last mail was out after ${Math.round(duration / 1000)} s`] : [];
    for (const recipient of people) {
      const subjectsOf = new Map<string, string[]>();
      for (const { subject } of mails.filter(({ to }) => to.includes(recipient))) {
        const threat = /Storm (\d+) /.exec(subject)?.[1] ?? '';
        subjectsOf.set(threat, [...(subjectsOf.get(threat) ?? []), subject]);
      }
      for (let threat = 0; threat < threats; threat++) {
        const subjects = subjectsOf.get(String(threat)) ?? [];
        const escalations = subjects.filter((subject) => subject.includes('Not blocked')).length;
        if (escalations !== mailsOfThreat - 1) problems.push(`threat ${threat} was told as not blocked ${escalations} times to one person`);
        if (subjects.length !== mailsOfThreat) problems.push(`threat ${threat} has ${subjects.length} mails to one person`);
      }
    }
    return { detections, mails: mails.length, took: duration, wrong: problems };
  } finally {
    await world.close();
  }
}

function newDetection(n: number, threats: number, total: number): ReportedDetection {
  const threat = n % threats;
  const round = Math.floor(n / threats);
  const common = { category: 'RemoteControl', details: '/tmp/storm', certainty: 'certain', why: '', start: 'person' } as const;
  // A threat that is detected once has no escalation.
  const isBlocked = total === threats || round !== Math.floor(total / threats / 2);
  const time = new Date().toISOString();
  return { uuid: randomUUID(), name: `Storm ${threat} helper`, identifier: `storm-${threat}`, time, blocked: isBlocked, ...common };
}
