import type { AgentInfo, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import { type AlertFacts, guardianAlert, holderAlert } from './letters.ts';
import { alertFor, timeOf } from './rules.ts';
import type { DetectionStore } from './store.ts';

/** Who hears of a threat, with the link that each of them gets. */
export interface PeopleToTell {
  holder: { uuid: string; name: string; email: string };
  guardians: { uuid: string; email: string; link: string }[];
}

export interface IntakeParts {
  db: Db;
  clock: Clock;
  store: DetectionStore;
  enqueue: Enqueue;
  dashboard_url: string;
  devices: {
    lockForReport(trx: Trx, uuid: string): Promise<{ uuid: string; account: string; name: string; info: AgentInfo | null } | undefined>;
    noteDetection(trx: Trx, uuid: string, time: Date): Promise<unknown>;
  };
  peopleToTell(trx: Trx, account: string): Promise<PeopleToTell>;
}

/**
 * Stores what a device reports, and queues whom to tell in the same transaction (P5.4): both are there or neither.
 * What is stored already is passed over, so a report may come as often as it likes.
 */
export function detectionIntake(parts: IntakeParts): (device: string, detections: ReportedDetection[]) => Promise<void> {
  const { db, clock, store, devices } = parts;
  return (uuid, detections) =>
    db.transaction().execute(async (trx) => {
      const device = await devices.lockForReport(trx, uuid);
      if (!device) return;
      const inOrder = detections.toSorted((a, b) => a.time.localeCompare(b.time));
      for (const reported of inOrder) {
        if (await store.isStored(trx, uuid, reported.uuid)) continue;
        const time = timeOf(reported, clock.now());
        const counted_into = alertFor({ time, blocked: reported.blocked }, await store.nearby(trx, uuid, reported.identifier, time));
        await store.insert(trx, device, reported, time, counted_into);
        await devices.noteDetection(trx, uuid, time);
        if (counted_into === null) {
          await tell(trx, parts, device.account, reported.uuid, {
            name: reported.name,
            category: reported.category,
            blocked: reported.blocked,
            certainty: reported.certainty,
            time,
            device: device.name,
            time_zone: device.info?.time_zone ?? 'UTC',
          });
        }
      }
    });
}

async function tell(trx: Trx, parts: IntakeParts, account: string, uuid: string, facts: Omit<AlertFacts, 'holder'>): Promise<void> {
  const { enqueue, dashboard_url } = parts;
  const { holder, guardians } = await parts.peopleToTell(trx, account);
  const all = { ...facts, holder: holder.name };
  const key = (person: string) => `alert:${uuid}:${person}:mail`;
  await enqueue(trx, 'mail', key(holder.uuid), { to: holder.email, ...holderAlert(all, `${dashboard_url}/detection/${uuid}`) });
  for (const guardian of guardians) {
    await enqueue(trx, 'mail', key(guardian.uuid), { to: guardian.email, ...guardianAlert(all, guardian.link) });
  }
}
