import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld } from '@porchlight/dev/world.ts';
import { startEmbedded } from '@porchlight/server/db/embedded/start.ts';
import { admin, forgoDurability, withDatabase } from '@porchlight/server/testing/global-setup.ts';
import { type Template, templateName, templateVariable } from './worlds.ts';

/** One PostgreSQL for all worlds of the run, and in it a database on which a server has already published definitions and made its keys. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-e2e-'));
  const postgres = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {}, max_connections: 500 });
  await forgoDurability(postgres.url);
  await admin(postgres.url, `create database ${templateName}`);
  const dataDir = join(folder, 'template');
  const first = await startWorld({ dataDir, databaseUrl: withDatabase(postgres.url, templateName) });
  await first.close();
  const template: Template = { postgres_url: postgres.url, dataDir };
  process.env[templateVariable] = JSON.stringify(template);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
