import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { WrittenEmail } from '../../texts/email.ts';
import { declinedEmail } from './emails.ts';
import { stateOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

export interface HolderNotifierDeps {
  enqueue: Enqueue;
  dashboard_url: string;
  holderOf(account: string, trx: Trx): Promise<{ name: string; email: string }>;
}

/** Emails the holder about a guardian's answer, once per invitation. */
export function holderNotifier({ enqueue, dashboard_url, holderOf }: HolderNotifierDeps) {
  return async (
    trx: Trx,
    guardian: GuardianRow,
    answerKind: string,
    writeMessage: (holder: string, url: string) => WrittenEmail,
  ): Promise<void> => {
    const holder = await holderOf(guardian.account, trx);
    const message = writeMessage(holder.name, `${dashboard_url}/profile/guardians`);
    await enqueue(trx, 'mail', `guardian-${answerKind}:${guardian.uuid}:${guardian.key_version}`, { to: holder.email, ...message });
  };
}

/** Declines a pending invitation and notifies the holder; otherwise does nothing. */
export function guardianDecliner(deps: HolderNotifierDeps & { clock: Clock; store: Pick<GuardianStore, 'decline'> }) {
  const notifyHolder = holderNotifier(deps);
  return async (trx: Trx, guardian: GuardianRow): Promise<void> => {
    if (stateOf(guardian, deps.clock.now()) !== 'pending') return;
    await deps.store.decline(trx, guardian.uuid);
    await notifyHolder(trx, guardian, 'declined', (holder, url) => declinedEmail(holder, guardian.name, url));
  };
}
