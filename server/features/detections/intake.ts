import type { AgentInfo, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { reportedTime } from '../../lib/reported-time.ts';
import type { AlertUrl, DefinitionHelpLookup, Notify } from '../../ports.ts';
import { alertFor, isSite } from './rules.ts';
import type { DetectionStore, NewDetection } from './store.ts';

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
 * Stores what a device reports, and queues the notifications in the same transaction (P5.4): both are there or neither.
 * What is stored already is skipped, so a report may come as often as it likes. However long a report is, it is stored by the same few statements.
 */
export function detectionIntake(deps: IntakeDeps): (device: string, detections: ReportedDetection[]) => Promise<void> {
  const { db, clock, store, devices } = deps;
  return async (uuid, reported) => {
    const help = await deps.helpOf(reported.map(({ identifier }) => identifier));
    return db.transaction().execute(async (trx) => {
      const device = await devices.lockForReport(trx, uuid);
      if (!device) return;
      const stored = await store.storedOf(trx, uuid, [...new Set(reported.map((one) => one.uuid))]);
      const fresh = newOf(reported, stored);
      // Those whose time is not believed stay in the order in which the device reported them: a millisecond apart, the last of them now.
      const moment = (n: number) => after(clock.now(), n + 1 - fresh.length);
      const detections = fresh.map((one, n) => ({ ...one, time: reportedTime(one.time, device.installed, moment(n)) }));
      if (!detections.length) return;

      const times = detections.map(({ time }) => time.getTime());
      const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
      const identifiers = [...new Set(detections.map(({ identifier }) => identifier))];
      const open = await store.openAlerts(trx, uuid, identifiers, first, last);
      const counted = detections.map((one): NewDetection => {
        const counted_into = alertFor(
          one,
          open.filter(({ identifier }) => identifier === one.identifier),
        );
        // The next ones of this report may be counted into the alert that this one opens.
        if (counted_into === null) open.push(one);
        return { ...one, counted_into };
      });
      await store.insert(trx, device, counted);
      await devices.noteDetection(trx, uuid, last);

      for (const one of counted.filter(({ counted_into }) => counted_into === null)) {
        const facts = {
          uuid: one.uuid,
          url: await deps.alertUrl(trx, device.account, one.uuid),
          name: one.name,
          category: one.category,
          site: isSite(one),
          blocked: one.blocked,
          certainty: one.certainty,
          time: one.time,
          now: clock.now(),
          device: device.name,
          person: device.person,
          time_zone: device.info?.time_zone ?? 'UTC',
          help: help.get(one.identifier),
        };
        await deps.notify(trx, device.account, { kind: 'alert', facts });
      }
    });
  };
}

/** The detections that are not stored yet, each once, in the order in which they happened. */
function newOf(reported: ReportedDetection[], stored: Set<string>): ReportedDetection[] {
  const inOrder = reported.toSorted((a, b) => a.time.localeCompare(b.time));
  const byUuid = new Map<string, ReportedDetection>();
  for (const one of inOrder) if (!stored.has(one.uuid) && !byUuid.has(one.uuid)) byUuid.set(one.uuid, one);
  return [...byUuid.values()];
}
