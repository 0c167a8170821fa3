import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { AppointmentEnd } from '@porchlight/contract/appointments.ts';
import type { Goodbye } from '@porchlight/contract/device-health.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import { someoneWithCode } from '@porchlight/contract/words/activities.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { SilentDevice } from '../../notifications/render/outage.ts';
import type { OutageStore } from './outage-store.ts';
import type { WatchStore } from './watch-store.ts';

export interface OutageDeps extends Pick<Kernel, 'db' | 'clock' | 'weaken' | 'limit' | 'enqueue' | 'notify'> {
  store: OutageStore;
  /** Devices that are expected to be online. */
  watched: Pick<WatchStore, 'unwatch' | 'isTroubled'>;
  emergency: EmergencyReports;
  /** The alert to which a request for this program refers. */
  requestedAlert(trx: Trx, device: string, name: string, time: Date): Promise<string | undefined>;
  /** An appointment ended at the device (P15.1). */
  helpEnded(trx: Trx, device: { account: string; uuid: string; name: string }, appointment: string, end: AppointmentEnd): Promise<void>;
}

/** What its user does at a computer about an emergency. The caller has locked the device. */
export interface EmergencyReports {
  press(
    trx: Trx,
    device: { account: string; uuid: string; name: string },
    presser: { person: null; name: string },
    time: Date,
  ): Promise<unknown>;
  reconnected(trx: Trx, device: { account: string; uuid: string; name: string }, time: Date): Promise<void>;
  isolationReported(
    trx: Trx,
    device: { account: string; uuid: string; name: string },
    report: { isolation: string; in_force: boolean; put_back: number },
    time: Date,
  ): Promise<void>;
}

type FoundDevice = Pick<SilentDevice, 'uuid' | 'account' | 'name' | 'person'>;

/** If a job runs this late, the server was down, and devices could not reach it. */
const maxDelayMs = 2 * 60_000;

/** Handles what devices report before they go offline, and outages that last. */
export function deviceOutages(deps: OutageDeps) {
  const { db, clock, store, watched, weaken, limit, enqueue } = deps;

  const notifyOf = (trx: Trx, silentDevice: SilentDevice) =>
    deps.notify(trx, silentDevice.account, { kind: 'outage', facts: silentDevice });

  /** Queues a check whether a stopped agent restarted; sooner after a detection or weakening act. */
  const checkLater = async (trx: Trx, device: string, since: string) => {
    const grace = (await watched.isTroubled(trx, device)) ? serverLimits.outage_alarmed : serverLimits.stopped_grace;
    const due = after(clock.now(), grace);
    const job = { device, since, due: due.toISOString() };
    return enqueue(trx, 'stopped_check', `stopped:${device}:${since}:${job.due}`, job, due);
  };

  /** Stores an announced outage or its end. A pause reported after its end is no outage, but people are notified. */
  const handleGoodbye = async (trx: Trx, { uuid, account, name }: FoundDevice, { reason, until }: Goodbye, time = clock.now()) => {
    const now = clock.now();
    const it = { uuid, name };
    if (reason === 'resumed') await store.endPause(trx, uuid);
    if (reason !== 'resumed' && reason !== 'paused') await watched.unwatch(trx, uuid);
    if (reason === 'sleep') await store.begin(trx, uuid, 'asleep', now);
    if (reason === 'shutdown') await store.begin(trx, uuid, 'switched_off', now);
    if (reason === 'stopped') {
      await store.begin(trx, uuid, 'stopped', now);
      await checkLater(trx, uuid, now.toISOString());
    }
    if (reason === 'uninstalled') {
      await store.begin(trx, uuid, 'uninstalled', now, { notified_at: now });
      await weaken(trx, account, { kind: 'uninstalled', device: it }, { at: { time } });
    }
    if (reason === 'paused' && until !== undefined) {
      // Limits the pause (P4.6) without trusting the device's clock.
      const ends = new Date(Math.min(new Date(until).getTime(), after(time, agentLimits.pause_max).getTime()));
      const previousOutage = await store.of(trx, uuid);
      if (ends > now) await store.begin(trx, uuid, 'paused', time, { until: ends, notified_at: now });
      const isRepetition = previousOutage?.kind === 'paused' && previousOutage.until?.getTime() === ends.getTime();
      const pause_ms = ends.getTime() - time.getTime();
      // Sentences name the minute, and two pauses with the same sentence are one notification.
      const what = new Date(Math.floor(ends.getTime() / minute) * minute).toISOString();
      const entry = { kind: 'paused', device: it, what, pause_ms } as const;
      if (!isRepetition) await weaken(trx, account, entry, { at: { time, over: ends <= now } });
    }
  };
  const handleEvent = async (trx: Trx, device: FoundDevice, { reported, time: reportedTime }: AgentEvent) => {
    const now = clock.now();
    const time = new Date(Math.min(new Date(reportedTime).getTime(), now.getTime()));
    if (reported.kind === 'paused') return handleGoodbye(trx, device, { reason: 'paused', until: reported.until }, time);
    if (reported.kind === 'resumed') return handleGoodbye(trx, device, { reason: 'resumed' }, time);
    // Staying strengthens protection, so nobody is notified.
    // These two are only for the weekly report (P12.3, P16.2).
    if (reported.kind === 'stays' || reported.kind === 'new_program' || reported.kind === 'opened_site') return;
    const it = { uuid: device.uuid, name: device.name };
    if (reported.kind === 'help') {
      await deps.emergency.press(trx, { ...it, account: device.account }, { person: null, name: device.name }, time);
      return;
    }
    if (reported.kind === 'reconnected') return deps.emergency.reconnected(trx, { ...it, account: device.account }, time);
    if (reported.kind === 'isolation') return deps.emergency.isolationReported(trx, { ...it, account: device.account }, reported, time);
    if (reported.kind === 'helped') return deps.helpEnded(trx, { ...it, account: device.account }, reported.appointment, reported.end);
    if (reported.kind === 'allowed') {
      // Only a one-time code of a guardian allows something at the computer, and for an hour at most (P10.7).
      const entry = { kind: 'allowed', device: it, what: reported.name, remote_control: true } as const;
      return weaken(trx, device.account, entry, { at: { time, over: new Date(reported.until) <= now }, by: someoneWithCode });
    }
    if (reported.kind === 'left_out')
      return weaken(trx, device.account, { kind: 'left_out', device: it, what: reported.source }, { at: { time } });
    if (reported.kind === 'moved' || reported.kind === 'undone' || reported.kind === 'left') {
      await watched.unwatch(trx, device.uuid);
      await store.begin(trx, device.uuid, 'left', time, { notified_at: now });
    }
    const alert = reported.kind === 'asked' ? await deps.requestedAlert(trx, device.uuid, reported.name, time) : undefined;
    const subjectFields = reported.kind === 'asked' ? { what: reported.name, ...(alert ? { alert } : {}) } : {};
    const entry = { kind: reported.kind, device: it, ...subjectFields };
    await weaken(trx, device.account, entry, { at: { time, over: after(time, agentLimits.pin_lock) <= now } });
  };

  return {
    async goodbye(device: string, report: Goodbye): Promise<void> {
      await limit('goodbye', device, { max: 60, per: 3_600_000 });
      if (report.reason === 'paused' && report.until === undefined)
        fail('invalid_input', { fields: [{ field: 'Until', tag: 'required' }] });
      await db.transaction().execute(async (trx) => handleGoodbye(trx, (await store.lock(trx, device)) ?? fail('device_removed'), report));
    },

    /** Processes events from the computer, perhaps days old, in order and once each. Returns the stored ids. */
    async storeEvents(device: string, reportedEvents: AgentEvent[]): Promise<string[]> {
      await limit('events', device, { max: 120, per: 3_600_000 });
      await db.transaction().execute(async (trx) => {
        const foundDevice = (await store.lock(trx, device)) ?? fail('device_removed');
        for (const event of reportedEvents) if (await store.isNew(trx, device, event)) await handleEvent(trx, foundDevice, event);
      });
      return reportedEvents.map(({ uuid }) => uuid);
    },

    /** Notifies people of all devices offline for too long, in one transaction each. */
    async notifyAll(): Promise<void> {
      for (const { uuid } of await store.due(db)) {
        await db.transaction().execute(async (trx) => {
          if (!(await store.lock(trx, uuid))) return;
          // Checked again under the lock: the device may be back, or another server may have notified people.
          const [silentDevice] = await store.due(trx, uuid);
          if (!silentDevice) return;
          await store.begin(trx, uuid, silentDevice.kind, silentDevice.since, { notified_at: clock.now() });
          await notifyOf(trx, silentDevice);
        });
      }
    },

    handlers: {
      stopped_check: ({ device, since, due }: { device: string; since: string; due: string }) =>
        db.transaction().execute(async (trx) => {
          const foundDevice = await store.lock(trx, device);
          const outage = foundDevice && (await store.of(trx, device));
          if (!outage || outage.kind !== 'stopped' || outage.notified_at || outage.since.toISOString() !== since) return;
          if (clock.now().getTime() - new Date(due).getTime() > maxDelayMs) {
            await checkLater(trx, device, since);
            return;
          }
          await store.markNotified(trx, device);
          await notifyOf(trx, { ...foundDevice, kind: 'stopped', since: outage.since });
        }),
    },
  };
}
