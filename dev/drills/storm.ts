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

/**
 * Reports a series of detections for each threat; in the middle, one detection was not stopped. Each person must get one email for each
 * threat and one for its escalation.
 */
export async function stormDrill(detections: number, threats: number, limitMs: number): Promise<StormResult> {
  const world = await worldWithOwnMailServer();
  try {
    const person = await registeredPerson(world);
    const guardians = [];
    for (const name of ['Bob', 'Carol', 'Dan']) guardians.push(await acceptedGuardian(world, person, name));
    const people = [person.email, ...guardians.map(({ email }) => email)];
    const { token } = await linkedDevice(world, person);
    const storm = Array.from({ length: detections }, (_, n) => newDetection(n, threats, detections));
    const startedAt = performance.now();
    for (let batchStart = 0; batchStart < storm.length; batchStart += batch) {
      await call(world.url, 'POST /agent/detections', { token, body: { detections: storm.slice(batchStart, batchStart + batch) } });
    }
    const stormMails = async () => (await world.mailbox()).filter(({ subject }) => subject.includes('Storm'));
    const expected = threats * 2 * people.length;
    await until('all mails', async () => (await stormMails()).length >= expected, limitMs * 2, 250).catch(() => {});
    const duration = performance.now() - startedAt;
    const mails = await stormMails();
    const problems = duration > limitMs ? [`the last mail was out after ${Math.round(duration / 1000)} s`] : [];
    for (const recipient of people) {
      for (let threat = 0; threat < threats; threat++) {
        const subjects = mails
          .filter((mail) => mail.to.includes(recipient) && mail.subject.includes(`Storm ${threat} `))
          .map(({ subject }) => subject);
        const escalations = subjects.filter((subject) => subject.includes('Not blocked')).length;
        if (escalations !== 1) problems.push(`threat ${threat} was told as not blocked ${escalations} times to one person`);
        if (subjects.length !== 2) problems.push(`threat ${threat} has ${subjects.length} mails to one person`);
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
  const common = { category: 'RemoteControl', details: '/tmp/storm', certainty: 'certain' } as const;
  const isBlocked = round !== Math.floor(total / threats / 2);
  const time = new Date().toISOString();
  return { uuid: randomUUID(), name: `Storm ${threat} helper`, identifier: `storm-${threat}`, time, blocked: isBlocked, ...common };
}
