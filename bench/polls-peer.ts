// The peers of `polls.bench.ts`: the least that a server needs to authenticate a long poll and to wait as ours does, with the same bytes.
// With a database on Fastify, which reads the device by one prepared statement; without one on Node's own server.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fastify } from 'fastify';
import pg from 'pg';

const port = Number(process.env.PORT);
const headers = JSON.parse(process.env.HEADERS ?? '[]') as string[];
const byte_interval = 25_000;
const waiting = new Map<ServerResponse, number>();
setInterval(() => {
  const now = performance.now();
  for (const [response, due] of waiting) {
    if (due > now) return;
    waiting.delete(response);
    waiting.set(response, now + byte_interval);
    if (!response.headersSent) response.writeHead(200, headers);
    response.write('\n');
  }
}, 1_000);

function wait(response: ServerResponse, seconds: number): void {
  const timer = setTimeout(() => {
    waiting.delete(response);
    const body = JSON.stringify({ changed: false, again_in: 0 });
    if (!response.headersSent) response.writeHead(200, [...headers, 'content-length', String(body.length)]);
    response.end(body);
  }, seconds * 1000);
  waiting.set(response, performance.now() + byte_interval);
  response.once('close', () => {
    clearTimeout(timer);
    waiting.delete(response);
  });
}

async function withDatabase(): Promise<void> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const app = fastify();
  const text = 'select t.device, d.policy_version from device_tokens t join devices d on d.uuid = t.device where t.token_hash = $1';
  app.post<{ Body: { wait: number } }>('/api/agent/changes', async (request, reply) => {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const hash = createHash('sha256').update(token).digest();
    const { rows } = await pool.query({ name: 'device', text, values: [hash] });
    if (!rows[0]) return reply.code(401).send({});
    reply.hijack();
    wait(reply.raw, request.body.wait);
  });
  app.get('/', async () => ({}));
  await app.listen({ port, host: '127.0.0.1', backlog: 4096 });
}

async function bodyOf(request: IncomingMessage): Promise<{ wait: number }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || '{"wait":0}') as { wait: number };
}

process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
if (process.env.DATABASE_URL) await withDatabase();
else
  createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (request.method === 'GET') response.end('{}');
    else void bodyOf(request).then((body) => wait(response, body.wait));
  }).listen({ port, host: '127.0.0.1', backlog: 4096 });
