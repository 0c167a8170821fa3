import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { WrittenEmail } from '../../lib/email.ts';
import { declinedEmail } from './emails.ts';
import { stateOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

export interface HolderNotifierDeps {
  enqueue: Enqueue;
  dashboard_url: string;
  holderOf(account: string, trx: Trx): Promise<{ name: string; email: string }>;
}

/** A mail to the holder about what a guardian answered: once a version of the key, because after it only a new invitation leads on. */
export function holderNotifier({ enqueue, dashboard_url, holderOf }: HolderNotifierDeps) {
  return async (trx: Trx, guardian: GuardianRow, how: string, write: (holder: string, url: string) => WrittenEmail): Promise<void> => {
    const holder = await holderOf(guardian.account, trx);
    const letter = write(holder.name, `${dashboard_url}/profile/guardians`);
    await enqueue(trx, 'mail', `guardian-${how}:${guardian.uuid}:${guardian.key_version}`, { to: holder.email, ...letter });
  };
}

/** Says no to an invitation that still waits, and tells the holder. Does nothing to any other guardian. */
export function declining(deps: HolderNotifierDeps & { clock: Clock; store: Pick<GuardianStore, 'decline'> }) {
  const notifyHolder = holderNotifier(deps);
  return async (trx: Trx, guardian: GuardianRow): Promise<void> => {
    if (stateOf(guardian, deps.clock.now()) !== 'pending') return;
    await deps.store.decline(trx, guardian.uuid);
    await notifyHolder(trx, guardian, 'declined', (holder, url) => declinedEmail(holder, guardian.name, url));
  };
}
