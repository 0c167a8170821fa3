import { day } from '@porchlight/contract/time.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { helpAbout } from '../../notifications/render/emergency.ts';
import type { DeviceWords } from '../../ports.ts';
import { reportedTime } from '../../texts/reported-time.ts';
import type { EmergencyIncidents, Place, Presser, Resume } from './dependencies.ts';
import { enqueueEmergencyEnd } from './ends.ts';
import { isHelpRepeated } from './rules.ts';
import { type EmergencyStore, helpStopEnds, type IsolationReport } from './store.ts';

/** People get one message for each of these about presses of long ago. */
const old_help_grouped = 10 * 60_000;

export interface HelpDeps extends Pick<Kernel, 'clock' | 'enqueue' | 'notify' | 'events'> {
  store: Pick<EmergencyStore, 'installedOf' | 'lastHelp' | 'addStop' | 'endIsolation' | 'noteIsolation'>;
  incidents: EmergencyIncidents;
  resume: Resume;
  deviceWords: DeviceWords;
}

interface Device extends Place {
  account: string;
}

/** *I need help now* (P9.5), on the dashboard and at the computer, and what else its user does about an emergency. */
export function helpPresses(deps: HelpDeps) {
  const { clock, store, incidents, enqueue, notify } = deps;
  /** The device's open incident, or else the newest. */
  const openAt = async (trx: Trx, account: string, device: string): Promise<string | null> => {
    const open = await incidents.openOf(account, trx);
    return (open.find((one) => one.device === device) ?? open[0])?.uuid ?? null;
  };

  return {
    /**
     * The caller has locked the device. `reported`: perhaps long before the server received it; then nothing stops any more, and people are
     * notified. Returns the incident.
     */
    async press(trx: Trx, { account, ...device }: Device, { person, name }: Presser, reported: Date): Promise<string | null> {
      const now = clock.now();
      // A computer whose clock went back years needs help now.
      const time = reportedTime(reported.toISOString(), await store.installedOf(trx, device.uuid), now);
      const isOld = after(time, day) <= now;
      const isRepeated = !isOld && isHelpRepeated(await store.lastHelp(trx, account, device.uuid), time);
      const incident = await incidents.open(trx, { account, device, opener: 'help', what: null, time });
      if (isRepeated) return incident;
      const until = helpStopEnds(time);
      if (!isOld) {
        const stop = await store.addStop(trx, { account, device: device.uuid, kind: 'help', person, name, time, until });
        if (until > now) {
          await deps.resume(trx, account, device.uuid);
          await enqueueEmergencyEnd(enqueue, trx, stop);
        }
      }
      const words = await deps.deviceWords(trx, account, device.uuid);
      const press = isOld ? String(Math.floor(time.getTime() / old_help_grouped)) : time.toISOString();
      await notify(trx, account, {
        kind: 'help',
        facts: { ...words, about: helpAbout(device.uuid, press), incident, device: device.name, time, until, by_person: person },
      });
      return incident;
    },

    /** The user of the computer ended the isolation that was in force then, if they can. The caller has locked the device. */
    async reconnected(trx: Trx, { account, uuid, name }: Device, time: Date): Promise<void> {
      if (!(await store.endIsolation(trx, uuid, time))) return;
      await deps.events.emit(trx, 'policy_changed', { account, device: uuid });
      const incident = await openAt(trx, account, uuid);
      if (incident) await incidents.addEvent(trx, incident, { kind: 'reconnected', person: null, name, what: null, time });
    },

    /** The agent verified an isolation. People are notified once of each that is not in force. The caller has locked the device. */
    async isolationReported(trx: Trx, { account, uuid, name }: Device, report: IsolationReport, time: Date): Promise<void> {
      const former = await store.noteIsolation(trx, uuid, report);
      if (!former) return;
      const incident = await openAt(trx, account, uuid);
      const add = async (kind: 'isolation_lost' | 'isolation_back') => {
        if (incident) await incidents.addEvent(trx, incident, { kind, person: null, name, what: null, time });
      };
      if (report.put_back > 0 && former.put_back === 0) await add('isolation_back');
      if (report.in_force || former.lost !== null) return;
      await add('isolation_lost');
      if (former.ended !== null || former.until <= clock.now()) return;
      const words = await deps.deviceWords(trx, account, uuid);
      const facts = { ...words, isolation: report.isolation, incident, device: name, time, by_person: null };
      await notify(trx, account, { kind: 'isolation_lost', facts });
    },
  };
}

export type HelpPresses = ReturnType<typeof helpPresses>;
