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
  /** Until the last mail was out, in milliseconds. */
  took: number;
  wrong: string[];
}

const batch = 50;

/**
 * So many detections of so many threats come as fast as the server takes them, and in the middle of each threat's storm one that was not stopped.
 * Each person gets one mail for each threat and one for its escalation, soon.
 */
export async function stormDrill(detections: number, threats: number, within: number): Promise<StormResult> {
  const world = await worldWithOwnMailServer();
  try {
    const person = await registeredPerson(world);
    const guardians = [];
    for (const name of ['Bob', 'Carol', 'Dan']) guardians.push(await acceptedGuardian(world, person, name));
    const people = [person.email, ...guardians.map(({ email }) => email)];
    const { token } = await linkedDevice(world, person);
    const storm = Array.from({ length: detections }, (_, n) => seen(n, threats, detections));
    const before = performance.now();
    for (let from = 0; from < storm.length; from += batch) {
      await call(world.url, 'POST /agent/detections', { token, body: { detections: storm.slice(from, from + batch) } });
    }
    const told = async () => (await world.mailbox()).filter(({ subject }) => subject.includes('Storm'));
    const expected = threats * 2 * people.length;
    await until('all mails', async () => (await told()).length >= expected, within * 2, 250).catch(() => {});
    const took = performance.now() - before;
    const mails = await told();
    const wrong = took > within ? [`the last mail was out after ${Math.round(took / 1000)} s`] : [];
    for (const to of people) {
      for (let threat = 0; threat < threats; threat++) {
        const subjects = mails
          .filter((mail) => mail.to.includes(to) && mail.subject.includes(`Storm ${threat} `))
          .map(({ subject }) => subject);
        const escalations = subjects.filter((subject) => subject.includes('Not blocked')).length;
        if (escalations !== 1) wrong.push(`threat ${threat} was told as not blocked ${escalations} times to one person`);
        if (subjects.length !== 2) wrong.push(`threat ${threat} has ${subjects.length} mails to one person`);
      }
    }
    return { detections, mails: mails.length, took, wrong };
  } finally {
    await world.close();
  }
}

/** The one in the middle of each threat's storm was not stopped. */
function seen(n: number, threats: number, all: number): ReportedDetection {
  const threat = n % threats;
  const round = Math.floor(n / threats);
  const common = { category: 'RemoteControl', details: '/tmp/storm', certainty: 'certain' } as const;
  const blocked = round !== Math.floor(all / threats / 2);
  const time = new Date().toISOString();
  return { uuid: randomUUID(), name: `Storm ${threat} helper`, identifier: `storm-${threat}`, time, blocked, ...common };
}
