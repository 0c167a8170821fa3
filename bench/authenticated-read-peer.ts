// The peer of `authenticated-read.bench.ts`: the least that a server on Fastify needs for the same answer, with the same two queries by name.

import { createHash } from 'node:crypto';
import { day } from '@porchlight/contract/time.ts';
import { fastify } from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = fastify();

const session = `select s.account, s.uuid, s.last_used, a.email_verified from sessions s join accounts a on a.uuid = s.account
  where s.token_hash = $1 and s.last_used > $2 and s.created > $3`;
const devices = `select d.uuid, d.name, d.policy, d.info, d.last_seen, d.last_detection, d.installed, d.strict_until, d.leaves, d.person,
    c.code, c.expires, o.kind, o.since, o.until
  from devices d left join device_codes c on c.device = d.uuid and c.used is null left join device_outages o on o.device = d.uuid
  where d.account = $1 order by d.created`;

app.get('/api/web/devices', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const hash = createHash('sha256').update(token).digest();
  const [unused, old] = [30, 90].map((days) => new Date(Date.now() - days * day));
  const found = await pool.query<{ account: string }>({ name: 'session', text: session, values: [hash, unused, old] });
  const caller = found.rows[0];
  if (!caller) return reply.code(401).send({});
  const { rows } = await pool.query({ name: 'devices', text: devices, values: [caller.account] });
  return { devices: rows };
});

app.get('/', async () => ({}));

process.once('SIGTERM', () => void app.close().then(() => pool.end()));
process.once('disconnect', () => process.exit(0));
await app.listen({ port: Number(process.env.PORT), host: 'localhost' });
