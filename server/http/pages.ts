import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fastifyStatic from '@fastify/static';
import { brand } from '@porchlight/contract/brand.ts';
import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import { uuid } from '@porchlight/contract/shapes.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { fail } from '../lib/errors.ts';

const placeholder = /<script type="application\/json" id="config">[^<]*<\/script>/;

/** The pages' own, and those of the home screen and of notifications (P11.6). */
const icons = {
  'lamp.svg': 'image/svg+xml',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
  'apple-touch-icon.png': 'image/png',
  'badge-96.png': 'image/png',
};

/** The pages of the app that the build has rendered for guests. */
const guestPages = ['login', 'register', 'forgot-password', 'free-download', 'help-now'];

const manifestLink = /(<link rel="manifest" href=")[^"]*/;
const isId = (text: string) => uuid.safeParse(text).success;
const guardianPath = (id: string) => `/dashboard/guardian/${id}`;

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
  const main = await page('index.html');
  // The build renders pages with the contract's support. With another one they stay empty until the script runs.
  const hasRendered = (name: string) =>
    existsSync(join(dist, 'guest', `${name}.html`)) && isDeepStrictEqual(config.support, { ...brand.support });
  const rendered = async (name: string, empty: string) => (hasRendered(name) ? page(join('guest', `${name}.html`)) : empty);
  const guardian = await rendered('guardian', await page('guardian.html'));
  const share = await rendered('share', await page('share.html'));

  const sendPage = (reply: FastifyReply, html: string) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html);
  const send = (html: string) => async (_request: unknown, reply: FastifyReply) => sendPage(reply, html);

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
  for (const [name, type] of Object.entries(icons)) {
    app.get(`/dashboard/${name}`, hiddenRoute, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=86400')
        .send(await readFile(join(dist, name))),
    );
  }
  // Asked for again at each visit, so that a browser never runs an older worker than the page.
  app.get('/dashboard/service-worker.js', hiddenRoute, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(join(dist, 'service-worker.js'), 'utf8')),
  );
  for (const legal of ['terms-of-service', 'privacy-policy']) {
    app.get(`/${legal}`, hiddenRoute, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(await readFile(join(dist, `${legal}.html`), 'utf8')),
    );
  }
  const manifest = JSON.parse(await readFile(join(dist, 'manifest.webmanifest'), 'utf8')) as object;
  const sendManifest = (reply: FastifyReply, start_url: string) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .send(JSON.stringify({ ...manifest, id: start_url, start_url }));
  app.get('/dashboard/manifest.webmanifest', hiddenRoute, async (_request, reply) => sendManifest(reply, '/dashboard/'));
  // The home screen opens this guardian's page again. It has nothing but the address: the page opens by its cookie.
  app.get<{ Params: { id: string } }>('/dashboard/guardian/:id/manifest.webmanifest', hiddenRoute, async ({ params }, reply) =>
    isId(params.id) ? sendManifest(reply, guardianPath(params.id)) : fail('not_found'),
  );
  app.get<{ Params: { '*': string } }>('/dashboard/guardian/*', hiddenRoute, async ({ params }, reply) => {
    const [id = ''] = params['*'].split('/');
    const ownManifest = isId(id) ? guardian.replace(manifestLink, `$1${guardianPath(id)}/manifest.webmanifest`) : guardian;
    return sendPage(reply, ownManifest);
  });
  app.get('/dashboard/share/*', hiddenRoute, send(share));
  for (const name of guestPages) {
    const guestPage = await rendered(name, main);
    // With a query the page shows something else, such as a notice.
    app.get(`/dashboard/${name}`, hiddenRoute, async ({ url }, reply) => sendPage(reply, url.includes('?') ? main : guestPage));
  }
  app.get('/dashboard', hiddenRoute, send(main));
  app.get('/dashboard/*', hiddenRoute, send(main));
}
