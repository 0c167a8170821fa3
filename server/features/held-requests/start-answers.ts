import { money_pages_identifier, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { sql } from 'kysely';
import type { Trx } from '../../db/open.ts';
import { after, type Clock, isoTime } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';
import { no_wins } from './decide.ts';

/** How long a yes to a start that waits, or to money pages, is in force. */
const yes_lasts = 3_600_000;

/** The newest answers may be this many for each device: the agent keeps none of its own. */
const answers_max = 50;

/** The answers in force. */
export const answersInPolicy: PolicyPart<UnlistedPolicy['answers'], UnlistedPolicy['answers'] | null> = {
  found: sql`(
    select jsonb_agg(to_jsonb(s) - 'device' order by s.until desc)
    from (select * from start_answers a where a.device = d.uuid and a.until > now.time order by a.until desc limit ${sql.lit(answers_max)}) s)`,
  read: (found) => (found ?? []).map(({ until, ...answer }) => ({ ...answer, until: isoTime(until) })),
};

/** What guardians answered about starts that wait at a device (P12.3, P12.4), and about its money pages (P12.6). */
export function startAnswerStore(clock: Clock) {
  return {
    /** The newest answer about an identifier counts. */
    async set(trx: Trx, device: string, identifier: string, answer: 'yes' | 'no'): Promise<void> {
      const until = after(clock.now(), answer === 'yes' ? yes_lasts : no_wins);
      // Nothing waits behind a no to money pages: they rest until the next yes, or until the reason for it is over.
      if (answer === 'no' && identifier === money_pages_identifier) {
        await trx.deleteFrom('start_answers').where('device', '=', device).where('identifier', '=', identifier).execute();
        return;
      }
      await trx
        .insertInto('start_answers')
        .values({ device, identifier, answer, until })
        .onConflict((oc) => oc.columns(['device', 'identifier']).doUpdateSet({ answer, until }))
        .execute();
    },
  };
}
