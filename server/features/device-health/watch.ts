import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { DeviceReturn } from '../../notifications/render/sudden-outage.ts';
import type { OutageStore } from './outage-store.ts';
import { networkState, networkVerdict, outageVerdict } from './watch-rule.ts';
import type { Others, WatchedOffline, WatchStore } from './watch-store.ts';

export interface WatchDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify' | 'forgetJobs'> {
  log: { warn(o: object, m: string): void };
  store: WatchStore;
  outages: OutageStore;
}

/** `away`: for how many seconds the agent could not reach the server. */
export interface CheckIn {
  protecting?: boolean;
  says_sleep?: boolean;
  away?: number | undefined;
}

type CheckState = Awaited<ReturnType<WatchStore['recordCheck']>>;

/** Notifies people within minutes of devices that went offline without a goodbye, and when they are back (P12.7). */
export function deviceWatch(deps: WatchDeps) {
  const { db, clock, store, outages, enqueue, notify } = deps;

  /** Whether the agent ran during the outage, according to the time it was `away`. */
  const ranDuringOutage = (away: number | undefined, since: Date) =>
    away !== undefined && after(clock.now(), -away * 1000) <= after(since, serverLimits.outage_alarmed + serverLimits.outage_poll);
  const countsSince = ({ last_seen }: WatchedOffline, { since }: CheckState) => Math.max(last_seen.getTime(), since.getTime());
  const verdictOn = (offlineDevice: WatchedOffline, state: CheckState, now = clock.now().getTime()) => {
    const silentMs = now - Math.max(countsSince(offlineDevice, state), offlineDevice.widespread?.getTime() ?? 0);
    const refusing = state.refused !== null && state.refused.getTime() >= now - serverLimits.outage_refused;
    return outageVerdict({ ...offlineDevice, silent: silentMs, refusing });
  };
  const networkVerdictOn = (offlineDevice: WatchedOffline, state: CheckState, others: Others) => {
    const { uuid, last_seen } = offlineDevice;
    const times = { uuid, last_seen: last_seen.getTime(), counts_since: countsSince(offlineDevice, state) };
    return networkVerdict(networkState(times, others, clock.now().getTime()));
  };
  const settle = (uuid: string, state: CheckState, waitedTooLong: boolean) =>
    db.transaction().execute(async (trx) => {
      if (!(await outages.lock(trx, uuid))) return;
      // Checked again under the lock: the device may be back, or another server may have notified people.
      const [silentDevice] = await store.offlineDevices(trx, uuid);
      if (!silentDevice) return;
      // Every reason except a pause explains the outage.
      const explained = await outages.of(trx, uuid);
      if (explained && explained.kind !== 'paused') return void (await store.unwatch(trx, uuid));
      const verdict = waitedTooLong ? (silentDevice.trouble ? 'notify' : 'days') : verdictOn(silentDevice, state);
      if (verdict === 'wait') return void (await store.watchUntil(trx, uuid, after(silentDevice.last_seen, serverLimits.outage_quiet)));
      await store.unwatch(trx, uuid);
      if (verdict === 'days') return;
      await outages.begin(trx, uuid, 'vanished', silentDevice.last_seen, { notified_at: clock.now(), early: true });
      await notify(trx, silentDevice.account, { kind: 'sudden_outage', facts: { ...silentDevice, since: silentDevice.last_seen } });
    });

  const checkAll = async () => {
    const state = await store.recordCheck();
    const offlineDevices = await store.offlineDevices(db);
    if (!offlineDevices.length && !state.deaf) return;
    const otherDevices = await store.otherDevices();
    const verdicts = offlineDevices.map((one) => ({
      one,
      at: one.last_seen.getTime(),
      verdict: networkVerdictOn(one, state, otherDevices),
    }));
    const ownFaults = verdicts.filter(({ verdict }) => verdict === 'own').sort((a, b) => a.at - b.at);
    if (ownFaults.length > 0 !== state.deaf) await store.setNetworkDown(ownFaults.length > 0);
    if (ownFaults.length && !state.deaf) {
      const deviceCounts = { silent: otherDevices.last_seen.size, checkedIn: otherDevices.online };
      deps.log.warn(deviceCounts, 'many devices fell silent at once: no one is notified of these, look at the network');
    }
    let pausedUntil = 0;
    for (const { at } of ownFaults) {
      if (at + serverLimits.outage_together <= pausedUntil) continue;
      pausedUntil = at + serverLimits.outage_together;
      await store.holdTogether(new Date(at), new Date(pausedUntil));
    }
    for (const { one, verdict } of verdicts) if (verdict !== 'own') await settle(one.uuid, state, verdict === 'tired');
  };
  const queueNext = async () => {
    const nextCheck = new Date((Math.floor(clock.now().getTime() / serverLimits.outage_poll) + 1) * serverLimits.outage_poll);
    await enqueue(db, 'outage_check', `outage:check:${nextCheck.toISOString()}`, { minute: nextCheck.toISOString() }, nextCheck);
  };

  return {
    queueNext,

    /** Handles a check-in, and notifies people if an announced outage is over. */
    async checkedIn(device: string, { protecting = true, says_sleep = false, away }: CheckIn = {}): Promise<void> {
      const knownDevice = await store.known(device);
      if (!knownDevice) return;
      // An outage after a goodbye message is no sign of bad Wi-Fi.
      const unexplained = knownDevice.kind === null || knownDevice.kind === 'vanished' || knownDevice.kind === 'paused';
      const wasOffline = away !== undefined && away * 1000 >= serverLimits.outage_quiet;
      if (wasOffline && unexplained) await store.noteOffline(device);
      if (
        knownDevice.kind !== null &&
        (knownDevice.early || knownDevice.kind !== 'paused' || (knownDevice.until !== null && knownDevice.until <= clock.now()))
      ) {
        await db.transaction().execute(async (trx) => {
          const foundDevice = await outages.lock(trx, device);
          // Also during a pause, people learn that the device is back.
          const endedOutage = foundDevice && (await outages.endOutage(trx, device));
          const announcedOutage = endedOutage?.early ? endedOutage : await outages.takeEarly(trx, device);
          if (!foundDevice || !announcedOutage) return;
          const { account, name, person, time_zone, limited } = foundDevice;
          const since = announcedOutage.early_since ?? announcedOutage.since;
          const outage = { uuid: device, name, person, time_zone, since, trouble: false };
          const deviceReturn: DeviceReturn = { how: ranDuringOutage(away, since) ? 'was_offline' : 'started', protecting, limited };
          await notify(trx, account, { kind: 'outage_over', facts: { outage, back: deviceReturn } });
        });
      }
      if (!store.isWatched(knownDevice, says_sleep)) await store.watch(device, says_sleep);
    },

    handlers: {
      outage_check: async () => {
        // The next check is queued first, so that a failed check does not end the series.
        await queueNext();
        // A failure is only logged, because the next check follows in a minute.
        await checkAll().catch((err: unknown) => deps.log.warn({ err }, 'the look for devices that fell silent failed'));
      },
    },

    async forget(): Promise<void> {
      await deps.forgetJobs('outage_check', after(clock.now(), -hour));
      await store.forgetOffline();
    },
  };
}
