import type { WeakeningAct } from '@porchlight/contract/care.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { firstName } from '../../lib/formatting.ts';
import type { LoggedAct } from '../../notifications/render/activity.ts';
import type { AlertUrl, AtDevice, NameLookup, Notify } from '../../ports.ts';
import { severityOf } from './severity.ts';
import type { ActivityRow, ActivityStore } from './store.ts';
import { verdictOn } from './verdict.ts';

export interface GateDeps {
  db: Db;
  clock: Clock;
  store: ActivityStore;
  enqueue: Enqueue;
  notify: Notify;
  nameOf: NameLookup;
  /** Where the holder reads of an alert. */
  alertUrl: AlertUrl;
}

/** The one gate for everything that weakens protection. What strengthens it does not pass here and notifies no one. */
export function weakeningGate(deps: GateDeps) {
  const { db, clock, store, enqueue, notify } = deps;

  return {
    /**
     * Asks whether the act is allowed, logs it, and queues the notifications in the transaction of the act itself: there is no act without its
     * notifications, nor a notification of what did not happen. Call it before a guardian is removed, so that the guardian is still notified.
     */
    async weaken(trx: Trx, account: string, act: WeakeningAct, there?: AtDevice): Promise<void> {
      const verdict = verdictOn(act);
      if (!verdict.go) fail('unavailable', { retry_after: (verdict.wait_until.getTime() - clock.now().getTime()) / 1000 });
      const time = there?.time ?? clock.now();
      const lately = await store.lately(trx, account);
      const notified = howToNotify(act, time, lately);
      const actor = there ? null : firstName(await deps.nameOf(account, trx));
      const first = notified === 'by_itself' && !(await store.textedLately(trx, account, act.kind));
      const row = await store.add(trx, account, act, { actor, notified, time });
      const zone = await store.zoneOf(account, trx);
      if (notified === 'at_once' || notified === 'by_itself') {
        // What is done with the account was done by the holder, whoever uses that computer.
        const person = there ? await store.personAt(trx, row.device) : undefined;
        const wish = act.alert && asWish(await deps.alertUrl(trx, account, act.alert));
        const facts = { uuid: row.uuid, severe: notified === 'by_itself', first, removed: act.guardian, wish };
        await notify(trx, account, { kind: 'weakened', facts: { ...facts, act: loggedAct(row, zone, { over: there?.over, person }) } });
      }
      if (notified === 'flood') {
        const person = there ? await store.personAt(trx, row.device) : null;
        const facts = { uuid: row.uuid, act: loggedAct(row, zone, { person }), count: lately.length + 1 };
        await notify(trx, account, { kind: 'flood', facts });
      }
      if (notified === 'later') {
        const ends = after(clock.now(), serverLimits.acts_grouping);
        const slot = Math.floor(ends.getTime() / serverLimits.acts_grouping);
        // One job for each act, and the first that runs notifies of all: a job shared by many would miss an act that was added while it ran.
        const job = { account, key: row.uuid };
        await enqueue(trx, 'acts_together', `acts:together:${row.uuid}`, job, new Date(slot * serverLimits.acts_grouping));
      }
    },

    handlers: {
      acts_together: ({ account, key }: { account: string; key: string }) =>
        db.transaction().execute(async (trx) => {
          const rows = await store.takeLater(trx, account);
          if (!rows.length) return;
          const zone = await store.zoneOf(account, trx);
          // Without an actor it was done at the computer.
          const there = rows.flatMap(({ actor, device }) => (actor === null && device !== null ? [device] : []));
          const people = await store.peopleAt(trx, [...new Set(there)]);
          const acts = rows.map((row) => loggedAct(row, zone, { person: row.actor === null ? people.get(row.device ?? '') : null }));
          await notify(trx, account, { kind: 'grouped', facts: { key, acts } });
        }),
    },
  };
}

/** The alert's page asks the question of the email. */
function asWish(url: string): string {
  const page = new URL(url);
  page.searchParams.set('asked', '1');
  return page.href;
}

/**
 * People are notified of a severe act at once, in a message of its own, by every channel: it may be the moment to call, and neither mild acts nor severe ones of another
 * kind hold it back (P10.4). Of a mild one too, until there are so many that the emails would hide what matters: then they get the alarm of a flood,
 * and the others follow in one email. The same act once more within ten minutes (a PIN viewed twice) notifies no one.
 */
function howToNotify(
  act: WeakeningAct,
  time: Date,
  lately: Pick<ActivityRow, 'kind' | 'device' | 'what' | 'notified' | 'time'>[],
): ActivityRow['notified'] {
  const [device, what] = [act.device?.uuid ?? null, act.what ?? null];
  const near = (one: Date) => Math.abs(time.getTime() - one.getTime()) < serverLimits.acts_grouping;
  const same = lately.some((one) => one.kind === act.kind && one.device === device && one.what === what && near(one.time));
  // A guardian who is removed cannot be notified later.
  if (act.guardian) return 'by_itself';
  if (same) return 'repeated';
  if (severityOf(act) === 'severe') {
    const alike = lately.filter((one) => one.notified === 'by_itself' && one.kind === act.kind && one.device === device);
    if (alike.length < serverLimits.severe_acts_of_a_kind) return 'by_itself';
  } else if (lately.filter(({ notified }) => notified === 'at_once').length < serverLimits.acts_one_by_one) return 'at_once';
  return lately.some(({ notified }) => notified === 'flood') ? 'later' : 'flood';
}

function loggedAct(
  row: ActivityRow,
  time_zone: string,
  more: { over?: boolean | undefined; person?: Person | null | undefined } = {},
): LoggedAct {
  const { kind, device_name, what, time, received } = row;
  const late = received.getTime() - time.getTime() > serverLimits.acts_grouping;
  return {
    kind,
    device: device_name ?? '',
    what: what ?? '',
    time,
    time_zone,
    late,
    over: more.over ?? false,
    person: more.person ?? null,
  };
}
