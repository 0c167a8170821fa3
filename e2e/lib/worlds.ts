import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World, type WorldOptions } from '@porchlight/dev/world.ts';
import { openDb } from '@porchlight/server/db/open.ts';
import { secretKeyFile } from '@porchlight/server/secrets/secret-key.ts';
import { admin, withDatabase } from '@porchlight/server/testing/global-setup.ts';

/** What `global-setup.ts` prepared: a PostgreSQL, and the data folder of the server that filled the template. */
export interface Template {
  postgres_url: string;
  dataDir: string;
}

export const templateVariable = 'E2E_TEMPLATE';
export const templateName = 'porchlight_e2e_template';

function readTemplate(): Template {
  const text = process.env[templateVariable];
  if (!text) throw new Error('The template database is prepared by the global setup of Playwright.');
  return JSON.parse(text) as Template;
}

/** A server of its own, on a copy of the template, or on the database that the options name. */
export async function startTestWorld(options: WorldOptions = {}): Promise<World> {
  if (options.databaseUrl) return startWorld(options);
  const template = readTemplate();
  const name = `world_${randomBytes(6).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-world-'));
  // The keys in the database are sealed with it.
  await copyFile(secretKeyFile(template.dataDir), secretKeyFile(dataDir));
  await admin(template.postgres_url, `create database ${name} template ${templateName} strategy file_copy`);
  const remove = async () => {
    await admin(template.postgres_url, `drop database ${name} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const world = await startWorld({ ...options, dataDir, databaseUrl: withDatabase(template.postgres_url, name) });
    return { ...world, close: () => world.close().finally(remove) };
  } catch (reason) {
    await remove();
    throw reason;
  }
}

/** A world that one file after another uses: `clear` takes away all that the files before have left. */
export interface SharedWorld {
  world: World;
  clear(): Promise<void>;
}

/** What belongs to the server and not to people. */
const tablesOfTheServer = [
  ...['kysely_migration', 'kysely_migration_lock', 'server_keys', 'definition_sets', 'feed_keys', 'feed_parts', 'site_lists'],
  ...['server_uptime', 'payment_account', 'shared_documents', 'jobs'],
];
/** Jobs that queue their next one: without them nothing would happen each hour. */
const regularJobs = ['hourly', 'outage_check', 'feed_day', 'plan_night', 'retention'];

export async function startSharedWorld(options: WorldOptions = {}): Promise<SharedWorld> {
  const world = await startTestWorld(options);
  const url = await world.databaseUrl();
  const { db, close } = openDb(url, 1);
  const tables = await admin<{ name: string }>(url, "select tablename as name from pg_tables where schemaname = 'public'");
  const peoplesTables = tables.map(({ name }) => name).filter((name) => !tablesOfTheServer.includes(name));
  const documents = await db.selectFrom('shared_documents').select(['name', 'content']).execute();
  const clear = async () => {
    await truncate(url, peoplesTables);
    await db.deleteFrom('jobs').where('kind', 'not in', regularJobs).execute();
    for (const { name, content } of documents) {
      await db
        .updateTable('shared_documents')
        .set((eb) => ({ content, version: eb('version', '+', 1) }))
        .where('name', '=', name)
        .execute();
    }
  };
  return {
    world: {
      ...world,
      close: async () => {
        await close();
        await world.close();
      },
    },
    clear,
  };
}

/** The server goes on with its jobs meanwhile. Where both wait for each other, PostgreSQL refuses one of them, and then it is our turn again. */
async function truncate(url: string, tables: string[]): Promise<void> {
  for (;;) {
    try {
      await admin(url, `truncate ${tables.join(', ')}`);
      return;
    } catch (err) {
      if ((err as { code?: string }).code !== '40P01') throw err;
    }
  }
}
