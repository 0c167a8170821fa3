import type { Db } from '../../db/open.ts';
import { accountChoices } from '../../lib/account-choices.ts';

export type BrowsingProtectionStore = ReturnType<typeof browsingProtectionStore>;

export const browsingProtectionStore = (db: Db) => accountChoices(db, 'browsing_protection', { browsers: true, resolver: 'network' });
