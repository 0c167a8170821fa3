import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { Goodbye } from '@porchlight/contract/care.ts';
import type { News } from '@porchlight/contract/news.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { momentInWords } from '../../lib/formatting.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { SilentDevice } from '../../notifications/render/outage.ts';
import type { Notify, WeakeningGate } from '../../ports.ts';
import type { OutageStore } from './outage-store.ts';
import type { WatchStore } from './watch-store.ts';

export interface OutageDeps {
  db: Db;
  clock: Clock;
  store: OutageStore;
  /** The devices that are expected online. */
  watched: Pick<WatchStore, 'unwatch' | 'isTroubled'>;
  weaken: WeakeningGate;
  limit: Limit;
  enqueue: Enqueue;
  notify: Notify;
  /** The alert that a wish for this name is about, at that device and moment. */
  requestedAlert(trx: Trx, device: string, name: string, time: Date): Promise<string | undefined>;
}

type FoundDevice = Pick<SilentDevice, 'uuid' | 'account' | 'name' | 'person' | 'time_zone'>;

/** A job that runs this late had no server to run on, and so the device had none to talk to. */
const late = 2 * 60_000;

/** Handles what a device reports before it goes offline, and notifies people when it does not come back. */
export function deviceOutages(deps: OutageDeps) {
  const { db, clock, store, watched, weaken, limit, enqueue } = deps;

  const notifyOf = (trx: Trx, silent: SilentDevice) => deps.notify(trx, silent.account, { kind: 'outage', facts: silent });

  /** Checks later whether a stopped agent is back, once it had time to be started again: sooner where there was trouble. */
  const lookLater = async (trx: Trx, device: string, since: string) => {
    const grace = (await watched.isTroubled(trx, device)) ? serverLimits.outage_alarmed : serverLimits.stopped_grace;
    const due = after(clock.now(), grace);
    const job = { device, since, due: due.toISOString() };
    return enqueue(trx, 'stopped_look', `stopped:${device}:${since}:${job.due}`, job, due);
  };

  /** Stores why a device stops or resumes protecting. A pause that was reported after its end is no outage, yet people are notified of it. */
  const take = async (trx: Trx, { uuid, account, name, time_zone }: FoundDevice, { reason, until }: Goodbye, time = clock.now()) => {
    const now = clock.now();
    const it = { uuid, name };
    if (reason === 'resumed') await store.endPause(trx, uuid);
    // The outage has an explanation from now on.
    if (reason !== 'resumed' && reason !== 'paused') await watched.unwatch(trx, uuid);
    if (reason === 'sleep') await store.begin(trx, uuid, 'asleep', now);
    if (reason === 'shutdown') await store.begin(trx, uuid, 'switched_off', now);
    if (reason === 'stopped') {
      await store.begin(trx, uuid, 'stopped', now);
      await lookLater(trx, uuid, now.toISOString());
    }
    // The gate notifies of these two at once.
    if (reason === 'uninstalled') {
      await store.begin(trx, uuid, 'uninstalled', now, { notified_at: now });
      await weaken(trx, account, { kind: 'uninstalled', device: it }, { time });
    }
    if (reason === 'paused' && until !== undefined) {
      // No pause is longer than the longest there is (P4.6), whatever a clock over there says.
      const ends = new Date(Math.min(new Date(until).getTime(), after(time, agentLimits.pause_max).getTime()));
      const before = await store.of(trx, uuid);
      if (ends > now) await store.begin(trx, uuid, 'paused', time, { until: ends, notified_at: now });
      const again = before?.kind === 'paused' && before.until?.getTime() === ends.getTime();
      const act = { kind: 'paused', device: it, what: momentInWords(ends, time_zone) } as const;
      if (!again) await weaken(trx, account, act, { time, over: ends <= now });
    }
  };
  const takeNews = async (trx: Trx, device: FoundDevice, { said, time: told }: News) => {
    const now = clock.now();
    // A clock over there may be ahead.
    const time = new Date(Math.min(new Date(told).getTime(), now.getTime()));
    if (said.kind === 'paused') return take(trx, device, { reason: 'paused', until: said.until }, time);
    if (said.kind === 'resumed') return take(trx, device, { reason: 'resumed' }, time);
    // A device that stays only strengthens protection, so no one is notified.
    if (said.kind === 'stays') return;
    // The device is no longer expected, and the gate notifies at once.
    if (said.kind === 'moved' || said.kind === 'undone' || said.kind === 'left') {
      await watched.unwatch(trx, device.uuid);
      await store.begin(trx, device.uuid, 'left', time, { notified_at: now });
    }
    const alert = said.kind === 'asked' ? await deps.requestedAlert(trx, device.uuid, said.name, time) : undefined;
    const what = said.kind === 'asked' ? { what: said.name, ...(alert ? { alert } : {}) } : {};
    const act = { kind: said.kind, device: { uuid: device.uuid, name: device.name }, ...what };
    await weaken(trx, device.account, act, { time, over: after(time, agentLimits.pin_lock) <= now });
  };

  return {
    /** An agent goes, stops protecting, or protects again. */
    async goodbye(device: string, said: Goodbye): Promise<void> {
      await limit('goodbye', device, { max: 60, per: 3_600_000 });
      if (said.reason === 'paused' && said.until === undefined) fail('invalid_input', { fields: [{ field: 'Until', tag: 'required' }] });
      await db.transaction().execute(async (trx) => take(trx, (await store.lock(trx, device)) ?? fail('device_removed'), said));
    },

    /** What was done at the computer, perhaps days ago; each is taken once, in the order in which it happened. Answers what is stored now. */
    async news(device: string, all: News[]): Promise<string[]> {
      await limit('news', device, { max: 120, per: 3_600_000 });
      await db.transaction().execute(async (trx) => {
        const found = (await store.lock(trx, device)) ?? fail('device_removed');
        for (const one of all) if (await store.isNew(trx, device, one)) await takeNews(trx, found, one);
      });
      return all.map(({ uuid }) => uuid);
    },

    /** Notifies of every device that has been offline for too long, each in a transaction of its own. */
    async notifyAll(): Promise<void> {
      for (const { uuid } of await store.due(db)) {
        await db.transaction().execute(async (trx) => {
          if (!(await store.lock(trx, uuid))) return;
          // Read again under the lock: the device may be back, or another server may have notified.
          const [silent] = await store.due(trx, uuid);
          if (!silent) return;
          await store.begin(trx, uuid, silent.kind, silent.since, { notified_at: clock.now() });
          await notifyOf(trx, silent);
        });
      }
    },

    handlers: {
      stopped_look: ({ device, since, due }: { device: string; since: string; due: string }) =>
        db.transaction().execute(async (trx) => {
          const found = await store.lock(trx, device);
          const outage = found && (await store.of(trx, device));
          if (!outage || outage.kind !== 'stopped' || outage.notified_at || outage.since.toISOString() !== since) return;
          if (clock.now().getTime() - new Date(due).getTime() > late) {
            await lookLater(trx, device, since);
            return;
          }
          await store.markNotified(trx, device);
          await notifyOf(trx, { ...found, kind: 'stopped', since: outage.since });
        }),
    },
  };
}
