import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/open.ts';

/** `/healthz`: the process answers. `/readyz`: the database takes a write and gives it back. */
export function healthRoutes(app: FastifyInstance, db: Db): void {
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async (_request, reply) => reply.type('application/json').send('{"ok":true}'));
  app.get('/readyz', hidden, async (request, reply) => {
    try {
      await db.transaction().execute(async (trx) => {
        await sql`create temporary table ready_check (n integer) on commit drop`.execute(trx);
        await sql`insert into ready_check values (1)`.execute(trx);
        await sql`select n from ready_check`.execute(trx);
      });
      return reply.type('application/json').send('{"ok":true}');
    } catch (err) {
      request.log.error({ err }, 'not ready');
      return reply.code(503).type('application/json').send('{"ok":false}');
    }
  });
}
