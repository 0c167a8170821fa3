import type { Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import type { Notify, OptOutLookup } from '../ports.ts';

export interface UnreachedDeps {
  clock: Clock;
  notify: Notify;
  optedOut: OptOutLookup;
}

interface Reach {
  uuid: string;
  account: string;
  name: string;
  mail: boolean;
  phone: string | null;
}

/** A guardian without a channel cannot warn, so all other people are notified at once, by every channel (P10.4). */
export function notifyOfUnreached({ clock, notify, optedOut }: UnreachedDeps) {
  return async (trx: Trx, { uuid, account, name, mail, phone }: Reach): Promise<void> => {
    if (mail || (phone !== null && !(await optedOut([phone], trx)).has(phone))) return;
    await notify(trx, account, { kind: 'unreached', facts: { uuid, name, now: clock.now() } });
  };
}
