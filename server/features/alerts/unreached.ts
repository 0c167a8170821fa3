import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import { unreachedLetter } from './texts.ts';

export interface UnreachedParts {
  clock: Clock;
  enqueue: Enqueue;
  dashboard_url: string;
  holderOf(account: string, trx: Trx): Promise<{ name: string; email: string }>;
  optedOut(numbers: string[], trx: Trx): Promise<Set<string>>;
}

interface Reach {
  uuid: string;
  account: string;
  name: string;
  mail: boolean;
  phone: string | null;
}

/** After a guardian switched something off: when neither mails nor texts are left, the holder is told. */
export function tellOfUnreached({ clock, enqueue, dashboard_url, holderOf, optedOut }: UnreachedParts) {
  return async (trx: Trx, { uuid, account, name, mail, phone }: Reach): Promise<void> => {
    if (mail || (phone !== null && !(await optedOut([phone], trx)).has(phone))) return;
    const holder = await holderOf(account, trx);
    const letter = unreachedLetter(holder.name, name, `${dashboard_url}/profile/guardians`);
    await enqueue(trx, 'mail', `unreached:${uuid}:${clock.now().toISOString()}`, { to: holder.email, ...letter });
  };
}
