import { unlistedDefaults } from '@porchlight/contract/unlisted-protection.ts';
import { accountChoices } from '../../db/account-choices.ts';
import type { Db } from '../../db/open.ts';

export type UnlistedProtectionStore = ReturnType<typeof unlistedProtectionStore>;

export const unlistedProtectionStore = (db: Db) => accountChoices(db, 'unlisted_protection', unlistedDefaults);
