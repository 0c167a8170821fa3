import { accountChoices } from '../../db/account-choices.ts';
import type { Kernel } from '../../kernel.ts';

export type BrowsingProtectionStore = ReturnType<typeof browsingProtectionStore>;

/** The policy of each device depends on it. */
export const browsingProtectionStore = ({ db, events }: Pick<Kernel, 'db' | 'events'>) =>
  accountChoices(db, 'browsing_protection', { browsers: true, resolver: 'network' }, (trx, account) =>
    events.emit(trx, 'policy_changed', { account, device: null }),
  );
