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

/** Done by the holder, or by somebody who sat at the device. */
export type By = 'holder' | 'device';

export type Acts = ReturnType<typeof acts>;

/** The one gate through which everything passes that weakens protection. Strengthening does not come here: it is silent. */
export function acts(parts: ActParts) {
  const { db, clock, store, enqueue, tell } = parts;

  const newsOf = (row: ActRow, time_zone: string, removed: string | undefined): News => {
    const act = toTell(row, time_zone);
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
    async weaken(trx: Trx, account: string, act: WeakeningAct, by: By = 'holder'): Promise<void> {
      const verdict = verdictOn(act);
      if (!verdict.go) fail('unavailable', { retry_after: (verdict.wait_until.getTime() - clock.now().getTime()) / 1000 });
      const told = howToTell(act, await store.lately(trx, account));
      const actor = by === 'holder' ? firstName(await parts.nameOf(account, trx)) : null;
      const row = await store.add(trx, account, act, { actor, told });
      if (told === 'at_once') await tell(trx, account, newsOf(row, await store.zoneOf(account, trx), act.guardian));
      if (told === 'later') {
        const ends = after(clock.now(), serverLimits.acts_grouping);
        const slot = Math.floor(ends.getTime() / serverLimits.acts_grouping);
        const key = `${account}:${slot}`;
        await enqueue(trx, 'acts_together', `acts:together:${key}`, { account, key }, new Date(slot * serverLimits.acts_grouping));
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
              text: togetherText(all.length, holder_name),
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
function howToTell(act: WeakeningAct, lately: Pick<ActRow, 'kind' | 'device' | 'what' | 'told'>[]): ActRow['told'] {
  const same = lately.some((one) => one.kind === act.kind && one.device === (act.device?.uuid ?? null) && one.what === (act.what ?? null));
  // Who is removed cannot be told later.
  if (act.guardian) return 'at_once';
  if (same) return 'repeated';
  return lately.filter(({ told }) => told === 'at_once').length >= serverLimits.acts_one_by_one ? 'later' : 'at_once';
}

function toTell({ kind, device_name, what, time }: ActRow, time_zone: string): ActToTell {
  return { kind, device: device_name ?? '', what: what ?? '', time, time_zone };
}
