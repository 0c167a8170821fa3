import type { WeakeningAct } from '@porchlight/contract/care.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { firstName } from '../../lib/formatting.ts';
import {
  type ActToTell,
  floodLetter,
  floodText,
  guardianActLetter,
  guardianActText,
  guardianReads,
  holderActLetter,
  holderActText,
  holderReads,
  removedLetter,
  removedText,
  togetherLetter,
  togetherText,
} from '../../notifications/render/activity.ts';
import { holderKnows } from '../../notifications/render/activity-sentences.ts';
import type { AlertUrl, AtDevice, NameLookup, News, Tell } from '../../ports.ts';
import { severityOf } from './severity.ts';
import type { ActivityRow, ActivityStore } from './store.ts';
import { verdictOn } from './verdict.ts';

export interface GateDeps {
  db: Db;
  clock: Clock;
  store: ActivityStore;
  enqueue: Enqueue;
  tell: Tell;
  dashboard_url: string;
  nameOf: NameLookup;
  /** Where the holder reads of an alert. */
  alertUrl: AlertUrl;
}

interface HowToTell {
  time_zone: string;
  /** Of this kind within the hour. */
  first: boolean;
  over: boolean | undefined;
  /** Who uses the device; undefined where it was done with the account. */
  person: ActToTell['person'];
  /** Who is removed. */
  guardian: string | undefined;
  /** Where the holder answers a wish. */
  url: string | undefined;
}

/** The one gate through which everything passes that weakens protection. Strengthening does not come here: it is silent. */
export function weakeningGate(parts: GateDeps) {
  const { db, clock, store, enqueue, tell } = parts;

  const newsOf = (row: ActivityRow, { time_zone, first, over, person, guardian: removed, url }: HowToTell): News => {
    const act = toTell(row, time_zone, { over, person });
    const severe = row.notified === 'by_itself';
    return {
      kind: 'act',
      about: row.uuid,
      urgency: severe ? 'urgent' : 'ordinary',
      // An act that we heard of late says itself when it was.
      ...(act.late ? {} : { happened: { time: row.time, time_zone: act.time_zone } }),
      always: severe,
      reserve: first,
      toHolder: () => ({
        letter: holderKnows.has(row.kind) ? null : holderActLetter(act, { dashboard: parts.dashboard_url, uuid: row.uuid, wish: url }),
        text: severe ? holderActText(act) : null,
      }),
      toGuardian: ({ uuid, name, holder_name, link }) =>
        uuid === removed
          ? { letter: removedLetter(name, holder_name), text: removedText(holder_name) }
          : { letter: guardianActLetter(act, holder_name, link), text: severe ? guardianActText(act, holder_name) : null },
    };
  };

  /** The alarm that there are too many: with the last of them, by every channel. */
  const floodOf = (row: ActivityRow, time_zone: string, count: number, person: Person | null): News => {
    const act = toTell(row, time_zone, { person });
    return {
      kind: 'act',
      about: row.uuid,
      urgency: 'urgent',
      always: true,
      toHolder: () => ({
        letter: floodLetter(act, count, holderReads([act]), parts.dashboard_url),
        text: floodText(count, holderReads([act])),
      }),
      toGuardian: ({ holder_name, link }) => ({
        letter: floodLetter(act, count, guardianReads([act], holder_name), link),
        text: floodText(count, guardianReads([act], holder_name)),
      }),
    };
  };

  return {
    /**
     * Asks whether it may be done, writes it down, and queues that holder and guardians are told, all in the transaction in which it is done: there is no
     * act without its news, nor news of what did not happen. Call it before something is removed, so that who is removed still hears of it.
     */
    async weaken(trx: Trx, account: string, act: WeakeningAct, there?: AtDevice): Promise<void> {
      const verdict = verdictOn(act);
      if (!verdict.go) fail('unavailable', { retry_after: (verdict.wait_until.getTime() - clock.now().getTime()) / 1000 });
      const time = there?.time ?? clock.now();
      const lately = await store.lately(trx, account);
      const notified = howToNotify(act, time, lately);
      const actor = there ? null : firstName(await parts.nameOf(account, trx));
      const first = notified === 'by_itself' && !(await store.textedLately(trx, account, act.kind));
      const row = await store.add(trx, account, act, { actor, notified, time });
      const zone = await store.zoneOf(account, trx);
      if (notified === 'at_once' || notified === 'by_itself') {
        // With the account it is the holder who did it, whoever uses that computer.
        const person = there ? await store.personAt(trx, row.device) : undefined;
        const url = act.alert && asWish(await parts.alertUrl(trx, account, act.alert));
        const how = { time_zone: zone, first, over: there?.over, person, guardian: act.guardian, url };
        await tell(trx, account, newsOf(row, how));
      }
      if (notified === 'flood') {
        const person = there ? await store.personAt(trx, row.device) : null;
        await tell(trx, account, floodOf(row, zone, lately.length + 1, person));
      }
      if (notified === 'later') {
        const ends = after(clock.now(), serverLimits.acts_grouping);
        const slot = Math.floor(ends.getTime() / serverLimits.acts_grouping);
        // One for each act, and the first that runs tells of all: where one of them served many, an act that came as it was done would wait for ever.
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
          const all = rows.map((row) => toTell(row, zone, { person: row.actor === null ? people.get(row.device ?? '') : null }));
          await tell(trx, account, {
            kind: 'act',
            about: key,
            // The flood that these are part of was told already.
            always: false,
            toHolder: () => ({ letter: togetherLetter(all, holderReads(all), parts.dashboard_url), text: null }),
            toGuardian: ({ holder_name, link }) => ({
              letter: togetherLetter(all, guardianReads(all, holder_name), link),
              text: togetherText(all, guardianReads(all, holder_name)),
            }),
          });
        }),
    },
  };
}

/** The alert's page asks what the mail asks. */
function asWish(url: string): string {
  const page = new URL(url);
  page.searchParams.set('asked', '1');
  return page.href;
}

/**
 * A severe act is told at once, in a message of its own, by every channel: it may be the moment to call, and neither mild acts nor severe ones of another
 * kind hold it back (P10.4). A mild one is told at once too, until there are so many that the mails would hide what matters: then that is told at once,
 * and the others follow in one mail. Only the same once more within ten minutes (a PIN looked at twice) is not told again.
 */
function howToNotify(
  act: WeakeningAct,
  time: Date,
  lately: Pick<ActivityRow, 'kind' | 'device' | 'what' | 'notified' | 'time'>[],
): ActivityRow['notified'] {
  const [device, what] = [act.device?.uuid ?? null, act.what ?? null];
  const near = (one: Date) => Math.abs(time.getTime() - one.getTime()) < serverLimits.acts_grouping;
  const same = lately.some((one) => one.kind === act.kind && one.device === device && one.what === what && near(one.time));
  // Who is removed cannot be told later.
  if (act.guardian) return 'by_itself';
  if (same) return 'repeated';
  if (severityOf(act) === 'severe') {
    const alike = lately.filter((one) => one.notified === 'by_itself' && one.kind === act.kind && one.device === device);
    if (alike.length < serverLimits.severe_acts_of_a_kind) return 'by_itself';
  } else if (lately.filter(({ notified }) => notified === 'at_once').length < serverLimits.acts_one_by_one) return 'at_once';
  return lately.some(({ notified }) => notified === 'flood') ? 'later' : 'flood';
}

function toTell(
  row: ActivityRow,
  time_zone: string,
  more: { over?: boolean | undefined; person?: Person | null | undefined } = {},
): ActToTell {
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
