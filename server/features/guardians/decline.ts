import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { WrittenLetter } from '../../lib/email.ts';
import { declinedLetter } from './emails.ts';
import { stateOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

export interface TellHolderDeps {
  enqueue: Enqueue;
  dashboard_url: string;
  holderOf(account: string, trx: Trx): Promise<{ name: string; email: string }>;
}

/** A mail to the holder about what a guardian answered: once a version of the key, because after it only a new invitation leads on. */
export function tellingHolder({ enqueue, dashboard_url, holderOf }: TellHolderDeps) {
  return async (trx: Trx, guardian: GuardianRow, how: string, write: (holder: string, url: string) => WrittenLetter): Promise<void> => {
    const holder = await holderOf(guardian.account, trx);
    const letter = write(holder.name, `${dashboard_url}/profile/guardians`);
    await enqueue(trx, 'mail', `guardian-${how}:${guardian.uuid}:${guardian.key_version}`, { to: holder.email, ...letter });
  };
}

/** Says no to an invitation that still waits, and tells the holder. Does nothing to any other guardian. */
export function declining(parts: TellHolderDeps & { clock: Clock; store: Pick<GuardianStore, 'decline'> }) {
  const tellHolder = tellingHolder(parts);
  return async (trx: Trx, guardian: GuardianRow): Promise<void> => {
    if (stateOf(guardian, parts.clock.now()) !== 'pending') return;
    await parts.store.decline(trx, guardian.uuid);
    await tellHolder(trx, guardian, 'declined', (holder, url) => declinedLetter(holder, guardian.name, url));
  };
}
