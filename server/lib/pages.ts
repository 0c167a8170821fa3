import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import type { FastifyInstance } from 'fastify';

const placeholder = /<script type="application\/json" id="config">[^<]*<\/script>/;

/** Each page contains the settings it needs before its first call (P1.7). */
export async function pageRoutes(app: FastifyInstance, dist: string, config: DashboardConfig): Promise<void> {
  const hiddenRoute = { schema: { hide: true } };
  app.get('/', hiddenRoute, async (_request, reply) => reply.redirect('/dashboard'));
  if (!existsSync(join(dist, 'index.html'))) {
    const missing = 'The dashboard is not built yet. Run `npm start`, or `npm run build -w dashboard`, and reload this page.';
    app.get('/dashboard', hiddenRoute, async (_request, reply) => reply.code(503).type('text/plain').send(missing));
    app.get('/dashboard/*', hiddenRoute, async (_request, reply) => reply.code(503).type('text/plain').send(missing));
    return;
  }
  // Escaped, so that no setting can end the script element.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  const page = async (name: string) =>
    (await readFile(join(dist, name), 'utf8')).replace(placeholder, () => `<script type="application/json" id="config">${json}</script>`);
  const [main, guardian, share] = await Promise.all([page('index.html'), page('guardian.html'), page('share.html')]);

  const send = (html: string) => async (_request: unknown, reply: import('fastify').FastifyReply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html);

  await app.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/dashboard/assets/',
    immutable: true,
    maxAge: '365d',
    schemaHide: true,
  });
  app.get('/dashboard/app_version.json', hiddenRoute, async (_request, reply) =>
    reply
      .type('application/json')
      .header('cache-control', 'no-store')
      .send(await readFile(join(dist, 'app_version.json'), 'utf8')),
  );
  app.get('/dashboard/lamp.svg', hiddenRoute, async (_request, reply) =>
    reply.type('image/svg+xml').send(await readFile(join(dist, 'lamp.svg'), 'utf8')),
  );
  for (const legal of ['terms-of-service', 'privacy-policy']) {
    app.get(`/${legal}`, hiddenRoute, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(await readFile(join(dist, `${legal}.html`), 'utf8')),
    );
  }
  app.get('/dashboard/guardian/*', hiddenRoute, send(guardian));
  app.get('/dashboard/share/*', hiddenRoute, send(share));
  app.get('/dashboard', hiddenRoute, send(main));
  app.get('/dashboard/*', hiddenRoute, send(main));
}
