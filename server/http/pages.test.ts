import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brand } from '@porchlight/contract/brand.ts';
import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageRoutes } from './pages.ts';

const config: DashboardConfig = {
  host: 'https://porchlight.example',
  support: brand.support,
  development: false,
  max_guardians: 5,
  features: { email_check: true, unverified_banner: true, guardians: true, sms: true, phone_verification: true },
  calls: true,
  push: null,
  chat: null,
  error_reporting: null,
  analytics: null,
};
const html = (content: string) =>
  `<link rel="manifest" href="/m"><script type="application/json" id="config">{}</script><div id="root">${content}</div>`;

let dist: string;
let app: FastifyInstance;
beforeEach(async () => {
  dist = await mkdtemp(join(tmpdir(), 'porchlight-pages-'));
  await Promise.all(['assets', 'guest'].map((folder) => mkdir(join(dist, folder))));
  const files = { 'index.html': html(''), 'guardian.html': html(''), 'share.html': html(''), 'manifest.webmanifest': '{}' };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dist, name), content);
  for (const name of ['login', 'register', 'guardian', 'share'])
    await writeFile(join(dist, 'guest', `${name}.html`), html(`<h1>${name}</h1>`));
  app = fastify();
});
afterEach(async () => {
  await app.close();
  await rm(dist, { recursive: true, force: true });
});

const headingAt = async (url: string) => /<h1>(\w+)<\/h1>/.exec((await app.inject(url)).body)?.[1];
const guardian = '/dashboard/guardian/018f4f4e-0000-7000-8000-000000000001';

test('pages for guests arrive with the content that the build rendered and with the settings, and are asked for again at each visit', async () => {
  await pageRoutes(app, dist, config);
  expect(await headingAt('/dashboard/login')).toBe('login');
  expect(await headingAt('/dashboard/register')).toBe('register');
  expect(await headingAt(guardian)).toBe('guardian');
  expect(await headingAt('/dashboard/share/ABC')).toBe('share');
  const { body, headers } = await app.inject('/dashboard/login');
  expect(body).toContain(`id="config">${JSON.stringify(config)}</script>`);
  expect(headers['cache-control']).toBe('no-cache');
  expect((await app.inject(guardian)).body).toContain(`href="${guardian}/manifest.webmanifest"`);
});

test('a page that shows something else than the build rendered arrives empty', async () => {
  await pageRoutes(app, dist, config);
  for (const path of ['/login?notice=registered', '/login?expired=1', '/register/SPRING', '/register/c/ABC', '', '/profile', '/login/x']) {
    expect(await headingAt(`/dashboard${path}`), path).toBeUndefined();
    expect((await app.inject(`/dashboard${path}`)).body, path).toContain('<div id="root"></div>');
  }
  expect(await headingAt('/dashboard/login')).toBe('login');
});

test('a server with a support of its own sends no page with the support of the build', async () => {
  await pageRoutes(app, dist, { ...config, support: { ...config.support, phone: '1-800-555-0199' } });
  for (const path of ['/dashboard/login', '/dashboard/register', guardian, '/dashboard/share/ABC'])
    expect(await headingAt(path), path).toBeUndefined();
});

test('a build without rendered pages is sent as it is', async () => {
  await rm(join(dist, 'guest'), { recursive: true });
  await pageRoutes(app, dist, config);
  expect((await app.inject('/dashboard/login')).body).toContain('<div id="root"></div>');
});
