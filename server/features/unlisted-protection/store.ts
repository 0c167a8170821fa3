import { unlistedDefaults } from '@porchlight/contract/unlisted-protection.ts';
import { accountChoices } from '../../db/account-choices.ts';
import type { Kernel } from '../../kernel.ts';

export type UnlistedProtectionStore = ReturnType<typeof unlistedProtectionStore>;

/** The policy of each device depends on it. */
export const unlistedProtectionStore = ({ db, events }: Pick<Kernel, 'db' | 'events'>) =>
  accountChoices(db, 'unlisted_protection', unlistedDefaults, (trx, account) =>
    events.emit(trx, 'policy_changed', { account, device: null }),
  );
