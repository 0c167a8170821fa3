import { openDb } from '@porchlight/server/db/open.ts';
import { enqueuer } from '@porchlight/server/jobs/queue.ts';
import { systemClock } from '@porchlight/server/lib/clock.ts';

const words = { subject: 'A quiet week', html: '<p>Nothing had to be stopped.</p>', text: 'Nothing had to be stopped.' };

export const isWeekly = ({ subject }: { subject: string }): boolean => subject === words.subject;

/** Queues weekly reports that are due now, in the lane that the server puts them in. */
export async function queueWeeklies(databaseUrl: string, how_many: number): Promise<void> {
  const { db, close } = openDb(databaseUrl, 2);
  try {
    for (let batchStart = 0; batchStart < how_many; batchStart += 500) {
      await db.transaction().execute(async (trx) => {
        for (let n = batchStart; n < Math.min(batchStart + 500, how_many); n++) {
          const recipient = `person-${n}@town-${n % 50}.example`;
          await enqueuer(systemClock)(trx, 'mail', `weekly:drill:${n}`, { to: recipient, ...words }, undefined, { urgency: 'bulk' });
        }
      });
    }
  } finally {
    await close();
  }
}
