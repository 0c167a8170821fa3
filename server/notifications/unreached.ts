import type { Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import type { OptOutLookup } from '../ports.ts';
import type { Tell } from './notify.ts';
import { guardianUnreachedLetter, unreachedLetter, unreachedText } from './render/unreached.ts';

export interface UnreachedDeps {
  clock: Clock;
  dashboard_url: string;
  tell: Tell;
  optedOut: OptOutLookup;
}

interface Reach {
  uuid: string;
  account: string;
  name: string;
  mail: boolean;
  phone: string | null;
}

/**
 * After a guardian switched something off: when neither mails nor texts are left, the holder and the other guardians are told at once, by every channel (P10.4).
 * Whoever was switched off gets nothing: no channel of theirs is left.
 */
export function tellOfUnreached({ clock, tell, dashboard_url, optedOut }: UnreachedDeps) {
  return async (trx: Trx, { uuid, account, name, mail, phone }: Reach): Promise<void> => {
    if (mail || (phone !== null && !(await optedOut([phone], trx)).has(phone))) return;
    await tell(trx, account, {
      kind: 'act',
      // Whoever is to be warned is warned by nobody from now on.
      urgency: 'urgent',
      reserve: true,
      about: `unreached:${uuid}:${clock.now().toISOString()}`,
      always: true,
      toHolder: (holder) => ({
        letter: unreachedLetter(holder.name, name, `${dashboard_url}/profile/guardians`),
        text: unreachedText(name),
      }),
      toGuardian: ({ holder_name, link }) => ({
        letter: guardianUnreachedLetter(holder_name, name, link),
        text: unreachedText(name, holder_name),
      }),
    });
  };
}
