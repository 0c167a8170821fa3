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

/** Where on the way of an alert the server is killed. */
const points = [
  /** While it stores: before or in the middle of the transaction. */
  'report',
  /** As soon as it has said that it stored. */
  'stored',
  /** Its mail server has heard for whom a mail is. */
  'rcpt',
  /** The mail is being handed over. */
  'data',
  /** The mail server has said 250, and the server has hardly heard it. */
  'taken',
] as const;
type Point = (typeof points)[number];

/** So many mails go out between two kills, so that few of them can be copies. */
const mailsBetween = 100;

/**
 * Kills the server with signal 9 at `rounds` points of the way of an alert, one kind of point after another, while a device reports; and then compares
 * what was acknowledged with what is there: nothing lost, nothing stored twice, one mail to each person for each alert.
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
      const point = points[round % points.length] ?? 'taken';
      await trigger.killAt(point, rounds > points.length ? mailsBetween : 10);
      await sleep(randomInt(0, 60));
      await world.startServer();
      log(`${round} of ${rounds}, killed at ${point}: ${writer.acknowledged.size} detections acknowledged`);
    }
    await writer.stop();
    const alerts = await history(world, person);
    return { rounds, people: people.length, ...(await settledMails(world, person, writer.acknowledged, alerts, people)) };
  } finally {
    await world.close();
  }
}

/** Pulled at the point that is waited for, once so many mails have been taken. */
function newTrigger(world: Awaited<ReturnType<typeof worldWithOwnMailServer>>) {
  let armed: Point | null = null;
  let taken = 0;
  let after = 0;
  let pulled: () => void = () => {};
  const reach = (point: Point) => {
    if (point === 'taken') taken += 1;
    if (point !== armed || taken < after) return;
    armed = null;
    pulled();
  };
  world.watch((step) => step !== 'kept' && reach(step));
  return {
    reach,
    killAt: (point: Point, mails: number) =>
      new Promise<void>((resolve, reject) => {
        after = taken + mails;
        pulled = () => void world.killServer('SIGKILL').then(resolve, reject);
        armed = point;
      }),
  };
}

/** Reports without a pause, as an agent does: the same batch again until it is acknowledged. */
function report(world: World, token: string, reach: (point: Point) => void) {
  const acknowledged = new Set<string>();
  let stopping = false;
  const done = (async () => {
    while (!stopping) {
      const detections = Array.from({ length: randomInt(1, 4) }, newDetection);
      for (;;) {
        try {
          const answer = call(world.url, 'POST /agent/detections', { token, body: { detections } });
          const midway = setTimeout(reach, randomInt(0, 12), 'report');
          const { stored } = await answer.finally(() => clearTimeout(midway));
          reach('stored');
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
      await done;
    },
  };
}

/** One in two is a threat not seen before and opens an alert; the others are counted into one of three. The name says in each mail which one it is about. */
function newDetection(): ReportedDetection {
  const uuid = randomUUID();
  const identifier = randomInt(2) === 0 ? `threat-${uuid}` : `threat-${randomInt(3)}`;
  const common = { category: 'RemoteControl', details: '/tmp/helper', blocked: true, certainty: 'certain' } as const;
  return { uuid, name: `Helper ${uuid}`, time: new Date().toISOString(), identifier, ...common };
}

async function history(world: World, person: Person): Promise<Detection[]> {
  const all: Detection[] = [];
  for (;;) {
    const { items } = await call(world.url, 'GET /web/detections', { token: person.token, query: { offset: all.length, length: 100 } });
    all.push(...items);
    if (items.length < 100) return all;
  }
}

/** Compares once the product itself says of every alert that everyone was told: what a killed server had in hand comes up again after its lease. */
async function settledMails(world: World, person: Person, acknowledged: Set<string>, alerts: Detection[], people: string[]) {
  const waiting = new Set(alerts.map(({ uuid }) => uuid));
  const nothingWaits = async () => {
    for (const uuid of waiting) {
      const { told } = await call(world.url, 'GET /web/detections/:id', { token: person.token, params: { id: uuid } });
      if (told?.length !== people.length || told.some(({ state }) => state !== 'sent')) return false;
      waiting.delete(uuid);
    }
    return true;
  };
  // What is missing even then is said by the comparison, in words.
  await until('everyone to be told of every alert', nothingWaits, 180_000, 500).catch(() => {});
  return compare(acknowledged, alerts, await world.mailbox(), people);
}
