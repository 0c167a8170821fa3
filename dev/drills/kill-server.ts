import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../call.ts';
import { acceptedGuardian } from '../guardians.ts';
import { linkedDevice, registeredPerson } from '../people.ts';
import type { World } from '../world.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';
import { type AlertResult, detectionHistory, newDetection, waitForMails } from './reported-alerts.ts';

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
export async function killServerDrill(rounds: number, log: (line: string) => void = () => {}): Promise<AlertResult> {
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
    return await waitForMails(world, person, writer.acknowledged, alerts, people);
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
        pulled = () => void world.killServer('SIGKILL').then(() => resolve(), reject);
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
