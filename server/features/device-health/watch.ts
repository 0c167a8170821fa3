import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from '../../db/open.ts';
import type { Enqueue, ForgetJobs } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Return } from '../../notifications/render/sudden-outage.ts';
import type { Notify } from '../../ports.ts';
import type { OutageStore } from './outage-store.ts';
import { networkVerdict, outageVerdict } from './watch-rule.ts';
import type { Others, Unheard, WatchStore } from './watch-store.ts';

export interface WatchDeps {
  db: Db;
  clock: Clock;
  log: { warn(o: object, m: string): void };
  store: WatchStore;
  outages: OutageStore;
  enqueue: Enqueue;
  notify: Notify;
  forgetJobs: ForgetJobs;
}

/** What a check-in says that matters here. `away`: seconds. */
export interface CheckIn {
  protecting?: boolean;
  says_sleep?: boolean;
  away?: number | undefined;
}

/** Since when the server can see devices without a gap, and when it refused their calls last. */
type Looked = Awaited<ReturnType<WatchStore['look']>>;

const hour = 3_600_000;

/** Notifies people within minutes of devices that went offline without a goodbye, and once more when they are back (P12.7). */
export function deviceWatch(deps: WatchDeps) {
  const { db, clock, store, outages, enqueue, notify } = deps;

  /** Whether the agent ran during the whole outage: then it knows of an absence as long; one that was started since does not. */
  const ranOn = (away: number | undefined, since: Date) =>
    away !== undefined && after(clock.now(), -away * 1000) <= after(since, serverLimits.outage_alarmed + serverLimits.outage_look);
  /** When its outage began to count. */
  const beganOf = ({ last_seen }: Unheard, { since }: Looked) => Math.max(last_seen.getTime(), since.getTime());
  const judge = (unheard: Unheard, looked: Looked, now = clock.now().getTime()) => {
    const silent = now - Math.max(beganOf(unheard, looked), unheard.held?.getTime() ?? 0);
    const refusing = looked.refused !== null && looked.refused.getTime() >= now - serverLimits.outage_refused;
    return outageVerdict({ ...unheard, silent, refusing });
  };
  const together = serverLimits.outage_together;
  /** Decides by the devices that went offline at the same time whether the network is down. */
  const judgeNetwork = (unheard: Unheard, looked: Looked, { last_seen, heard }: Others) => {
    const [at, now] = [unheard.last_seen.getTime(), clock.now().getTime()];
    const others = [...last_seen].flatMap(([uuid, time]) => (uuid === unheard.uuid ? [] : [time]));
    const heard_from = Math.min(at + together, now - serverLimits.outage_alarmed);
    return networkVerdict({
      together: 1 + others.filter((time) => Math.abs(time - at) <= together && time <= heard_from).length,
      heard,
      heard_since: others.some((time) => time > heard_from),
      waited: now - beganOf(unheard, looked),
    });
  };
  const settle = (uuid: string, looked: Looked, tired: boolean) =>
    db.transaction().execute(async (trx) => {
      if (!(await outages.lock(trx, uuid))) return;
      // Once more, now that nothing can happen to it: it may be back, or another server may have notified.
      const [unheard] = await store.unheard(trx, uuid);
      if (!unheard) return;
      // A pause explains no outage; every other reason ends when the device is back.
      const explained = await outages.of(trx, uuid);
      if (explained && explained.kind !== 'paused') return void (await store.unwatch(trx, uuid));
      const verdict = tired ? (unheard.trouble ? 'notify' : 'days') : judge(unheard, looked);
      if (verdict === 'wait') return void (await store.watchUntil(trx, uuid, after(unheard.last_seen, serverLimits.outage_quiet)));
      await store.unwatch(trx, uuid);
      if (verdict === 'days') return;
      await outages.begin(trx, uuid, 'vanished', unheard.last_seen, { notified_at: clock.now(), early: true });
      await notify(trx, unheard.account, { kind: 'sudden_outage', facts: { ...unheard, since: unheard.last_seen } });
    });

  const look = async () => {
    const looked = await store.look();
    const unheard = await store.unheard(db);
    if (!unheard.length && !looked.deaf) return;
    const others = await store.others();
    const judged = unheard.map((one) => ({ one, at: one.last_seen.getTime(), verdict: judgeNetwork(one, looked, others) }));
    const own = judged.filter(({ verdict }) => verdict === 'own').sort((a, b) => a.at - b.at);
    if (own.length > 0 !== looked.deaf) await store.setDeaf(own.length > 0);
    if (own.length && !looked.deaf) {
      const counts = { silent: others.last_seen.size, heard: others.heard };
      deps.log.warn(counts, 'many devices fell silent at once: no one is notified of these, look at the network');
    }
    let held = 0;
    for (const { at } of own) {
      if (at + together <= held) continue;
      held = at + together;
      await store.hold(new Date(at), new Date(held));
    }
    for (const { one, verdict } of judged) if (verdict !== 'own') await settle(one.uuid, looked, verdict === 'tired');
  };
  const queueNext = async () => {
    const next = new Date((Math.floor(clock.now().getTime() / serverLimits.outage_look) + 1) * serverLimits.outage_look);
    await enqueue(db, 'outage_look', `outage:look:${next.toISOString()}`, { minute: next.toISOString() }, next);
  };

  return {
    queueNext,

    /** Handles a check-in: the device is online, and people who were notified of its outage hear that it is back. */
    async heard(device: string, { protecting = true, says_sleep = false, away }: CheckIn = {}): Promise<void> {
      const known = await store.known(device);
      if (!known) return;
      // An outage after a goodbye is no sign of bad Wi-Fi.
      const unexplained = known.kind === null || known.kind === 'vanished' || known.kind === 'paused';
      const offline = away !== undefined && away * 1000 >= serverLimits.outage_quiet;
      if (offline && unexplained) await store.noteOffline(device);
      if (known.kind !== null && (known.early || known.kind !== 'paused' || (known.until !== null && known.until <= clock.now()))) {
        await db.transaction().execute(async (trx) => {
          const found = await outages.lock(trx, device);
          // A pause goes on, and people who wait to hear that the device is back are notified nevertheless.
          const over = found && (await outages.heard(trx, device));
          const ended = over?.early ? over : await outages.takeEarly(trx, device);
          if (!found || !ended) return;
          const { account, name, person, time_zone } = found;
          const since = ended.early_since ?? ended.since;
          const outage = { uuid: device, name, person, time_zone, since, trouble: false };
          const back: Return = { how: ranOn(away, since) ? 'was_offline' : 'started', protecting };
          await notify(trx, account, { kind: 'outage_over', facts: { outage, back } });
        });
      }
      if (!store.isWatched(known, says_sleep)) await store.watch(device, says_sleep);
    },

    handlers: {
      outage_look: async () => {
        // First of all, so that a check that fails is not the last one.
        await queueNext();
        // A failed check is not repeated: the next minute brings another.
        await look().catch((err: unknown) => deps.log.warn({ err }, 'the look for devices that fell silent failed'));
      },
    },

    /** Deletes what counts no more; once an hour. */
    async forget(): Promise<void> {
      await deps.forgetJobs('outage_look', after(clock.now(), -hour));
      await store.forgetOffline();
    },
  };
}
