import type { AgentInfo, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Letter, WrittenLetter } from '../../lib/email.ts';
import type { LateText } from '../../lib/late-message.ts';
import { reportedTime } from '../../lib/reported-time.ts';
import { type AlertFacts, guardianAlert, holderAlert, lateGuardianAlert, lateHolderAlert } from '../../notifications/render/alert-email.ts';
import { guardianAlertText, holderAlertText, lateGuardianAlertText, lateHolderAlertText } from '../../notifications/render/alert-sms.ts';
import type { AlertUrl, DefinitionHelpLookup } from '../../ports.ts';
import { alertFor, isSite } from './rules.ts';
import type { DetectionStore } from './store.ts';

/** News for the holder and every active guardian, by mail and by text. */
interface AlertNews {
  kind: 'alert';
  happened: { time: Date; time_zone: string };
  /** Of the detection that opened it. */
  about: string;
  toHolder: (holder: { name: string }) => Words;
  toGuardian: (guardian: { holder_name: string; link: string }) => Words;
}

interface Words {
  letter: WrittenLetter;
  text: string;
  late: { letter: Letter; text: LateText };
}

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
  tell(trx: Trx, account: string, news: AlertNews): Promise<void>;
}

/**
 * Stores what a device reports, and queues whom to tell in the same transaction (P5.4): both are there or neither.
 * What is stored already is passed over, so a report may come as often as it likes.
 */
export function detectionIntake(parts: IntakeDeps): (device: string, detections: ReportedDetection[]) => Promise<void> {
  const { db, clock, store, devices } = parts;
  return async (uuid, detections) => {
    const help = await parts.helpOf(detections.map(({ identifier }) => identifier));
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
          const url = await parts.alertUrl(trx, device.account, reported.uuid);
          await parts.tell(trx, device.account, alertNews(reported.uuid, facts, url));
        }
      }
    });
  };
}

function alertNews(uuid: string, facts: AlertFacts, url: string): AlertNews {
  return {
    kind: 'alert',
    about: uuid,
    happened: { time: facts.time, time_zone: facts.time_zone },
    toHolder: () => ({
      letter: holderAlert(facts, url),
      text: holderAlertText(facts, url),
      late: { letter: lateHolderAlert(facts, url), text: lateHolderAlertText(facts, url) },
    }),
    toGuardian: ({ holder_name, link }) => ({
      letter: guardianAlert(facts, holder_name, link),
      text: guardianAlertText(facts, holder_name, link),
      late: { letter: lateGuardianAlert(facts, holder_name, link), text: lateGuardianAlertText(facts, holder_name, link) },
    }),
  };
}
