import { accountChoices } from '../../db/account-choices.ts';
import type { Db } from '../../db/open.ts';

export type BrowsingProtectionStore = ReturnType<typeof browsingProtectionStore>;

export const browsingProtectionStore = (db: Db) => accountChoices(db, 'browsing_protection', { browsers: true, resolver: 'network' });
