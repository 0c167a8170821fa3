import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import { accountChoices } from '../../db/account-choices.ts';
import type { Kernel } from '../../kernel.ts';

export type BrowsingProtectionStore = ReturnType<typeof browsingProtectionStore>;

const browsingDefaults: BrowsingProtection = { browsers: true, resolver: 'network', notification_origins: [], resolver_chosen: false };

/** The policy of each device depends on it. */
export const browsingProtectionStore = ({ db, events }: Pick<Kernel, 'db' | 'events'>) =>
  accountChoices(db, 'browsing_protection', browsingDefaults, (trx, account) =>
    events.emit(trx, 'policy_changed', { account, device: null }),
  );
