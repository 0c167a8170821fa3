import type { WeakeningAct } from '@porchlight/contract/care.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { firstName } from '../../lib/words.ts';
import {
  type ActToTell,
  guardianActLetter,
  guardianActText,
  holderActLetter,
  removedLetter,
  removedText,
  togetherLetter,
  togetherText,
} from './act-letters.ts';
import type { ActRow, ActStore } from './act-store.ts';
import { actIsUrgent, holderKnows } from './act-words.ts';
import { verdictOn } from './rules.ts';
import type { News, Tell } from './tell.ts';

export interface ActParts {
  db: Db;
  clock: Clock;
  store: ActStore;
  enqueue: Enqueue;
  tell: Tell;
  dashboard_url: string;
  nameOf(account: string, trx?: Trx): Promise<string>;
}

/** Done by somebody who sat at the device, perhaps long before we heard of it. `over`: it lasts no longer. */
export interface AtDevice {
  time: Date;
  over?: boolean;
}

export type Acts = ReturnType<typeof acts>;

/** The one gate through which everything passes that weakens protection. Strengthening does not come here: it is silent. */
export function acts(parts: ActParts) {
  const { db, clock, store, enqueue, tell } = parts;

  const newsOf = (row: ActRow, time_zone: string, removed: string | undefined, over = false): News => {
    const act = { ...toTell(row, time_zone), over };
    return {
      kind: 'act',
      about: row.uuid,
      toHolder: () => ({ letter: holderKnows.has(row.kind) ? null : holderActLetter(act, parts.dashboard_url), text: null }),
      toGuardian: ({ uuid, name, holder_name, link }) =>
        uuid === removed
          ? { letter: removedLetter(name, holder_name), text: removedText(holder_name) }
          : {
              letter: guardianActLetter(act, holder_name, link),
              text: actIsUrgent[row.kind] ? guardianActText(act, holder_name) : null,
            },
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
      const told = howToTell(act, time, await store.lately(trx, account));
      const actor = there ? null : firstName(await parts.nameOf(account, trx));
      const row = await store.add(trx, account, act, { actor, told, time });
      if (told === 'at_once') await tell(trx, account, newsOf(row, await store.zoneOf(account, trx), act.guardian, there?.over));
      if (told === 'later') {
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
          const all = rows.map((row) => toTell(row, zone));
          await tell(trx, account, {
            kind: 'act',
            about: key,
            toHolder: () => ({ letter: togetherLetter(all, 'You', parts.dashboard_url), text: null }),
            toGuardian: ({ holder_name, link }) => ({
              letter: togetherLetter(all, firstName(holder_name), link),
              text: togetherText(all, holder_name),
            }),
          });
        }),
    },
  };
}

/**
 * Each act is told at once, in a mail of its own: any single one may be the moment to call, and a mail that waits for others comes when the scam is over.
 * Only the same once more within ten minutes (a PIN looked at twice) is not told again. Where so many come that the mails would hide what matters,
 * the first five are told and the others follow in one.
 */
function howToTell(act: WeakeningAct, time: Date, lately: Pick<ActRow, 'kind' | 'device' | 'what' | 'told' | 'time'>[]): ActRow['told'] {
  const [device, what] = [act.device?.uuid ?? null, act.what ?? null];
  const near = (one: Date) => Math.abs(time.getTime() - one.getTime()) < serverLimits.acts_grouping;
  const same = lately.some((one) => one.kind === act.kind && one.device === device && one.what === what && near(one.time));
  // Who is removed cannot be told later.
  if (act.guardian) return 'at_once';
  if (same) return 'repeated';
  return lately.filter(({ told }) => told === 'at_once').length >= serverLimits.acts_one_by_one ? 'later' : 'at_once';
}

function toTell({ kind, device_name, what, time, received }: ActRow, time_zone: string): ActToTell {
  const late = received.getTime() - time.getTime() > serverLimits.acts_grouping;
  return { kind, device: device_name ?? '', what: what ?? '', time, time_zone, late };
}
