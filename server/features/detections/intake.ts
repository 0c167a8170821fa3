import type { AgentInfo, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { opening_categories } from '@porchlight/contract/incident-events.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { AlertUrl, DefinitionHelpLookup } from '../../ports.ts';
import { reportedTime } from '../../texts/reported-time.ts';
import type { quietAlerts } from './quiet.ts';
import { alertFor, isOnlyAsked, isSite, isWaiting } from './rules.ts';
import type { DetectionStore, NewDetection } from './store.ts';

export interface IntakeDeps extends Pick<Kernel, 'db' | 'clock' | 'notify'> {
  store: DetectionStore;
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
  /** Locks what a start may change besides the device, before the device itself. */
  lockForStarts(trx: Trx, device: string, report: { asks: boolean }): Promise<void>;
  helpOf: DefinitionHelpLookup;
  sortQuiet: ReturnType<typeof quietAlerts>['sort'];
  /**
   * Programs that may open an incident (P9.1) or wait for a yes. Called with the device locked. `may_reply`: the incident waits for an answer
   * (P11.1). `asked`: the identifiers about which the guardians are asked, in a message of its own.
   */
  noteStarts(
    trx: Trx,
    device: { uuid: string; account: string; name: string },
    reported: (Pick<NewDetection, 'name' | 'identifier' | 'category' | 'time' | 'blocked'> & {
      site: boolean;
      waits: boolean;
      start: 'person' | 'system';
    })[],
  ): Promise<{ may_reply: boolean; asked: Set<string> }>;
}

/**
 * Stores a report and queues its notifications in one transaction (P5.4), skipping what is already stored. Storing takes the same number of
 * queries for every report; each new alert adds those of its notifications.
 */
export function detectionIntake(deps: IntakeDeps): (device: string, detections: ReportedDetection[]) => Promise<void> {
  const { db, clock, store, devices } = deps;
  return async (uuid, reported) => {
    const help = await deps.helpOf(reported.map(({ identifier }) => identifier));
    return db.transaction().execute(async (trx) => {
      if (reported.some(mayAsk)) await deps.lockForStarts(trx, uuid, { asks: reported.some(isWaiting) });
      const device = await devices.lockForReport(trx, uuid);
      if (!device) return;
      const stored = await store.storedOf(trx, uuid, [...new Set(reported.map((one) => one.uuid))]);
      const newDetections = newOf(reported, stored);
      // Detections with implausible times get times one millisecond apart, in their order, ending now.
      const moment = (n: number) => after(clock.now(), n + 1 - newDetections.length);
      const detections = newDetections.map((one, n) => ({ ...one, time: reportedTime(one.time, device.installed, moment(n)) }));
      if (!detections.length) return;

      const times = detections.map(({ time }) => time.getTime());
      const [firstTime, lastTime] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
      const identifiers = [...new Set(detections.map(({ identifier }) => identifier))];
      const openAlerts = await store.openAlerts(trx, uuid, identifiers, firstTime, lastTime);
      const groupedDetections = detections.map((detection): NewDetection => {
        const seen = { ...detection, site: isSite(detection) };
        const counted_into = alertFor(
          seen,
          openAlerts.filter(({ identifier }) => identifier === detection.identifier),
        );
        // Later detections of this report may be counted into this alert.
        if (counted_into === null) openAlerts.push(seen);
        return { ...detection, counted_into };
      });
      await store.insert(trx, device, groupedDetections);
      await devices.noteDetection(trx, uuid, lastTime);
      const { may_reply, asked } = await deps.noteStarts(
        trx,
        device,
        groupedDetections.map((detection) => ({
          ...detection,
          site: isSite(detection),
          waits: isWaiting(detection),
          start: detection.start ?? ('person' as const),
        })),
      );

      // One message about what only waits: the question. A pasted command is an attack, of which people also read what happened.
      const isQuestion = ({ category, identifier }: NewDetection) => isOnlyAsked(category) && asked.has(identifier);
      const alerts = groupedDetections.filter((one) => one.counted_into === null && !isQuestion(one));
      const quiet = await deps.sortQuiet(trx, device, alerts);
      for (const detection of alerts.filter(({ uuid: one }) => quiet.get(one) !== 'waiting')) {
        const facts = {
          uuid: detection.uuid,
          url: await deps.alertUrl(trx, device.account, detection.uuid),
          name: detection.name,
          category: detection.category,
          site: isSite(detection),
          blocked: detection.blocked,
          certainty: detection.certainty,
          time: detection.time,
          now: clock.now(),
          device: device.name,
          person: device.person,
          time_zone: device.info?.time_zone ?? 'UTC',
          help: help.get(detection.identifier),
          quiet: quiet.has(detection.uuid),
          may_reply: may_reply && opening_categories.has(detection.category),
        };
        await deps.notify(trx, device.account, { kind: 'alert', facts });
      }
    });
  };
}

const mayAsk = (one: ReportedDetection) => one.category === 'RemoteControl' || isWaiting(one);

/** The detections not stored yet, without duplicates, ordered by time. */
function newOf(reported: ReportedDetection[], stored: Set<string>): ReportedDetection[] {
  const inOrder = reported.toSorted((a, b) => a.time.localeCompare(b.time));
  const byUuid = new Map<string, ReportedDetection>();
  for (const detection of inOrder) if (!stored.has(detection.uuid) && !byUuid.has(detection.uuid)) byUuid.set(detection.uuid, detection);
  return [...byUuid.values()];
}
