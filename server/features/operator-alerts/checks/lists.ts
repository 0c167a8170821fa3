import type { Db } from '../../../db/open.ts';
import { after, type Clock } from '../../../lib/clock.ts';
import type { FeedTrouble, OldLists } from '../../../ports.ts';
import { utcText } from '../../../texts/formatting.ts';
import { bad, good } from '../problem-rule.ts';
import type { OperationCheck } from './check.ts';
import { isServiceOlderThan } from './service-age.ts';

/** A new service may stand for some time in a network that lets nothing out. */
const never_fetched = 3 * 24 * 3_600_000;

/** No list at all could be fetched; one dead list among others is a matter of the command doctor. */
export const listsCheck = (db: Db, clock: Clock, oldLists: OldLists): OperationCheck => ({
  key: 'lists',
  async read() {
    const old = await oldLists();
    if (!old) return good;
    if (old.fetched) return bad(`the newest is of ${utcText(old.fetched)}`);
    return (await isServiceOlderThan(db, after(clock.now(), -never_fetched))) ? bad('none was ever fetched') : good;
  },
});

/** A feed that is away for some days is a matter of the command doctor. */
export const feedCheck = (trouble: FeedTrouble): OperationCheck => ({
  key: 'feed',
  async read() {
    const found = await trouble();
    return found ? bad(found) : good;
  },
});
