import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';

/** In milliseconds: a reused check limits the writes that anybody may cause. */
const ready_ttl = 1_000;

/** `/healthz`: the process answers. `/readyz`: a write to the database succeeded within the last second. */
export function healthRoutes(app: FastifyInstance, db: Db, clock: Clock): void {
  const hiddenRoute = { schema: { hide: true } };
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
  let lastCheck: { since: number; ready: Promise<boolean> } | null = null;
  let writing = false;
  const isReady = (): Promise<boolean> => {
    const now = clock.now().getTime();
    // Concurrent calls share a check that is still running.
    if (lastCheck && (writing || Math.abs(now - lastCheck.since) < ready_ttl)) return lastCheck.ready;
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
    lastCheck = { since: now, ready };
    return ready;
  };

  app.get('/healthz', hiddenRoute, async (_request, reply) => answer(reply, true));
  app.get('/readyz', hiddenRoute, async (_request, reply) => answer(reply, await isReady()));
}
