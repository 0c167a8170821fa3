import { unlistedDefaults } from '@porchlight/contract/unlisted-protection.ts';
import type { Db } from '../../db/open.ts';
import { accountChoices } from '../../lib/account-choices.ts';

export type UnlistedProtectionStore = ReturnType<typeof unlistedProtectionStore>;

export const unlistedProtectionStore = (db: Db) => accountChoices(db, 'unlisted_protection', unlistedDefaults);
