import type { AgentInfo, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { reportedTime } from '../../lib/reported-time.ts';
import type { AlertUrl, DefinitionHelpLookup, Notify } from '../../ports.ts';
import { alertFor, isSite } from './rules.ts';
import type { DetectionStore } from './store.ts';

export interface IntakeDeps {
  db: Db;
  clock: Clock;
  store: DetectionStore;
  /** Where the holder reads of an alert. */
  alertUrl: AlertUrl;
  devices: {
    lockForReport(
      trx: Trx,
      uuid: string,
    ): Promise<
      { uuid: string; account: string; name: string; info: AgentInfo | null; installed: Date | null; person: Person | null } | undefined
    >;
    noteDetection(trx: Trx, uuid: string, time: Date): Promise<unknown>;
  };
  /** The words of these families as they are published now. */
  helpOf: DefinitionHelpLookup;
  notify: Notify;
}

/**
 * Stores what a device reports, and queues whom to tell in the same transaction (P5.4): both are there or neither.
 * What is stored already is passed over, so a report may come as often as it likes.
 */
export function detectionIntake(deps: IntakeDeps): (device: string, detections: ReportedDetection[]) => Promise<void> {
  const { db, clock, store, devices } = deps;
  return async (uuid, detections) => {
    const help = await deps.helpOf(detections.map(({ identifier }) => identifier));
    return db.transaction().execute(async (trx) => {
      const device = await devices.lockForReport(trx, uuid);
      if (!device) return;
      const inOrder = detections.toSorted((a, b) => a.time.localeCompare(b.time));
      for (const reported of inOrder) {
        if (await store.isStored(trx, uuid, reported.uuid)) continue;
        const time = reportedTime(reported.time, device.installed, clock.now());
        const counted_into = alertFor({ time, blocked: reported.blocked }, await store.nearby(trx, uuid, reported.identifier, time));
        await store.insert(trx, device, reported, time, counted_into);
        await devices.noteDetection(trx, uuid, time);
        if (counted_into === null) {
          const { name, category, blocked, certainty } = reported;
          const time_zone = device.info?.time_zone ?? 'UTC';
          const facts = {
            uuid: reported.uuid,
            url: await deps.alertUrl(trx, device.account, reported.uuid),
            name,
            category,
            site: isSite(reported),
            blocked,
            certainty,
            time,
            now: clock.now(),
            device: device.name,
            person: device.person,
            time_zone,
            help: help.get(reported.identifier),
          };
          await deps.notify(trx, device.account, { kind: 'alert', facts });
        }
      }
    });
  };
}
