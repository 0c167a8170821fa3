import { randomUUID } from 'node:crypto';
import type { Db } from '@porchlight/server/db/open.ts';

/** Makes time pass for all escalations of a server that has the real clock: their stored times go back by `ms`. */
export async function passEscalationTime(db: Db, ms: number): Promise<void> {
  const back = (time: Date) => new Date(time.getTime() - ms);
  for (const { incident, number, begun } of await db.selectFrom('escalations').selectAll().execute())
    await db
      .updateTable('escalations')
      .set({ begun: back(begun) })
      .where('incident', '=', incident)
      .where('number', '=', number)
      .execute();
  for (const { uuid, created } of await db.selectFrom('calls').selectAll().execute())
    await db
      .updateTable('calls')
      .set({ created: back(created) })
      .where('uuid', '=', uuid)
      .execute();
  const jobs = db.selectFrom('jobs').select(['id', 'run_at', 'unique_key']).where('kind', '=', 'escalation');
  // The keys contain the times, so a moved job makes room for the next one.
  for (const { id, run_at, unique_key } of await jobs.execute())
    await db
      .updateTable('jobs')
      .set({ run_at: back(run_at), unique_key: `${unique_key}:${randomUUID()}` })
      .where('id', '=', id)
      .execute();
}
