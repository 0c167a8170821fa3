import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Detection } from '@porchlight/contract/detections.ts';
import { call } from '../call.ts';
import { acceptedGuardian } from '../guardians.ts';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';
import { compare, type KillResult } from './kill-server-compare.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';

/** When the server is killed. */
const killPoints = [
  /** Before or during the transaction. */
  'report',
  /** Right after the server has acknowledged the report. */
  'stored',
  /** When the mail server has received the recipient. */
  'rcpt',
  'data',
  /** Right after the mail server's 250 reply. */
  'taken',
] as const;
type Point = (typeof killPoints)[number];

/** Emails between two kills: enough that few of them can be duplicates. */
const mailsBetween = 100;

/**
 * Kills the server with SIGKILL `rounds` times, at each point in turn, while a device reports. Then compares: nothing may be lost or stored
 * twice, and each person gets one email for each alert.
 */
export async function killServerDrill(rounds: number, log: (line: string) => void = () => {}): Promise<KillResult> {
  const world = await worldWithOwnMailServer();
  try {
    const person = await registeredPerson(world);
    const guardians = [];
    for (const name of ['Bob', 'Carol', 'Dan']) guardians.push(await acceptedGuardian(world, person, name));
    const device = await linkedDevice(world, person);
    const people = [person.email, ...guardians.map(({ email }) => email)];
    const trigger = newTrigger(world);
    const writer = report(world, device.token, trigger.reach);
    for (let round = 1; round <= rounds; round++) {
      const point = killPoints[round % killPoints.length] ?? 'taken';
      await trigger.killAt(point, rounds > killPoints.length ? mailsBetween : 10);
      await sleep(randomInt(0, 60));
      await world.startServer();
      log(`${round} of ${rounds}, killed at ${point}: ${writer.acknowledged.size} detections acknowledged`);
    }
    await writer.stop();
    const alerts = await detectionHistory(world, person);
    return { rounds, people: people.length, ...(await waitForMails(world, person, writer.acknowledged, alerts, people)) };
  } finally {
    await world.close();
  }
}

function newTrigger(world: Awaited<ReturnType<typeof worldWithOwnMailServer>>) {
  let armedPoint: Point | null = null;
  let mailsTaken = 0;
  let killAfter = 0;
  let pulled: () => void = () => {};
  const reachPoint = (point: Point) => {
    if (point === 'taken') mailsTaken += 1;
    if (point !== armedPoint || mailsTaken < killAfter) return;
    armedPoint = null;
    pulled();
  };
  world.watch((step) => step !== 'kept' && reachPoint(step));
  return {
    reach: reachPoint,
    killAt: (point: Point, mails: number) =>
      new Promise<void>((resolve, reject) => {
        killAfter = mailsTaken + mails;
        pulled = () => void world.killServer('SIGKILL').then(resolve, reject);
        armedPoint = point;
      }),
  };
}

function report(world: World, token: string, reachPoint: (point: Point) => void) {
  const acknowledged = new Set<string>();
  let stopping = false;
  const writerDone = (async () => {
    while (!stopping) {
      const detections = Array.from({ length: randomInt(1, 4) }, newDetection);
      for (;;) {
        try {
          const answer = call(world.url, 'POST /agent/detections', { token, body: { detections } });
          const midwayTimer = setTimeout(reachPoint, randomInt(0, 12), 'report');
          const { stored } = await answer.finally(() => clearTimeout(midwayTimer));
          reachPoint('stored');
          for (const uuid of stored) acknowledged.add(uuid);
          break;
        } catch {
          await sleep(20);
        }
      }
      await sleep(15);
    }
  })();
  return {
    acknowledged,
    stop: async () => {
      stopping = true;
      await writerDone;
    },
  };
}

/** Every second detection opens an alert; the others are added to one of three. The name identifies it in emails. */
function newDetection(): ReportedDetection {
  const uuid = randomUUID();
  const identifier = randomInt(2) === 0 ? `threat-${uuid}` : `threat-${randomInt(3)}`;
  const commonFields = { category: 'RemoteControl', details: '/tmp/helper', blocked: true, certainty: 'certain' } as const;
  return { uuid, name: `Helper ${uuid}`, time: new Date().toISOString(), identifier, ...commonFields };
}

async function detectionHistory(world: World, person: Person): Promise<Detection[]> {
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
async function waitForMails(world: World, person: Person, acknowledged: Set<string>, alerts: Detection[], people: string[]) {
  const waitingAlerts = new Set(alerts.map(({ uuid }) => uuid));
  const allNotified = async () => {
    for (const uuid of waitingAlerts) {
      const { told } = await call(world.url, 'GET /web/detections/:id', { token: person.token, params: { id: uuid } });
      if (told?.length !== people.length || told.some(({ state }) => state !== 'sent')) return false;
      waitingAlerts.delete(uuid);
    }
    return true;
  };
  await until('everyone to be told of every alert', allNotified, 180_000, 500).catch(() => {});
  return compare(acknowledged, alerts, await world.mailbox(), people);
}
