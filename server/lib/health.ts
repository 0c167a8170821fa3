import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { Clock } from './clock.ts';

/** In milliseconds: anybody may ask, and so often at most a write is made for it. */
const readyFor = 1_000;

/** `/healthz`: the process answers. `/readyz`: the database took a write and gave it back, within the last second. */
export function healthRoutes(app: FastifyInstance, db: Db, clock: Clock): void {
  const hidden = { schema: { hide: true } };
  const answer = (reply: FastifyReply, ok: boolean) =>
    reply
      .code(ok ? 200 : 503)
      .type('application/json')
      .send(`{"ok":${ok}}`);
  const write = () =>
    db.transaction().execute(async (trx) => {
      await sql`create temporary table ready_check (n integer) on commit drop`.execute(trx);
      await sql`insert into ready_check values (1)`.execute(trx);
      await sql`select n from ready_check`.execute(trx);
    });
  let last: { since: number; ready: Promise<boolean> } | null = null;
  let writing = false;
  const isReady = (): Promise<boolean> => {
    const now = clock.now().getTime();
    // One that is still under way is everyone's answer, however long it takes.
    if (last && (writing || Math.abs(now - last.since) < readyFor)) return last.ready;
    writing = true;
    const ready = write()
      .then(
        () => true,
        (err: unknown) => {
          app.log.error({ err }, 'not ready');
          return false;
        },
      )
      .finally(() => {
        writing = false;
      });
    last = { since: now, ready };
    return ready;
  };

  app.get('/healthz', hidden, async (_request, reply) => answer(reply, true));
  app.get('/readyz', hidden, async (_request, reply) => answer(reply, await isReady()));
}
