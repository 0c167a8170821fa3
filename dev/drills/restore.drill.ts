import { join } from 'node:path';
import { openStore, type Store } from '@porchlight/agent/state/store.ts';
import { type Db, openDb } from '@porchlight/server/db/open.ts';
import { porchlightProcess } from '@porchlight/server/testing/command.ts';
import { call } from '../call.ts';
import { registeredPerson } from '../people.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { until } from '../until.ts';
import { startWorld, type World } from '../world.ts';

export const minutes = 1;

/**
 * The agent must never silently use data older than its own; after the operator's command has raised the epoch, it must accept the server's
 * data and follow new keys. Returns problems, a sentence each.
 */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [postgres];
  const { db, close } = openDb(postgres.url, 2);
  const problems: string[] = [];
  let world: World | null = null;
  try {
    world = await startWorld({ databaseUrl: postgres.url });
    await restored(world, db, postgres.url, log, problems);
  } finally {
    await world?.close();
    await close();
    await postgres.stop();
  }
  return problems;
}

async function restored(world: World, db: Db, database_url: string, log: (line: string) => void, problems: string[]): Promise<void> {
  const { token } = await registeredPerson(world);
  const { uuid, login_code } = await call(world.url, 'POST /web/create-device', { token, body: { name: 'Den PC' } });
  const backup = await db
    .selectFrom('devices')
    .select(['name', 'policy', 'policy_version'])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  world.startAgent(['--code', String(login_code)]);
  const store: Store = await openStore(join(world.dataDir, 'agent'));
  const hasPolicy = (version: number, policy: string) =>
    until(`version ${version}, ${policy}`, async () => {
      const currentPolicy = await store.policy();
      return currentPolicy?.version === version && currentPolicy.policy.uuid === policy;
    });
  const set = (policy: string) => call(world.url, 'POST /web/devices/:uuid', { token, params: { uuid }, body: { name: 'Den PC', policy } });
  await hasPolicy(1, 'strict');
  for (const policy of ['strict', 'strict', 'permissive']) await set(policy);
  await hasPolicy(4, 'permissive');
  const env = { DATABASE_URL: database_url, DATA_DIR: world.dataDir, PUBLIC_URL: world.url };
  const command = async (...words: string[]) => {
    const { code, out, err } = await porchlightProcess(words, env);
    log(`${words.join(' ')}: ${(out || err).trim()}`);
    if (code !== 0) problems.push(`"${words.join(' ')}" ended with ${code}: ${err}`);
  };
  await command('definitions', 'rotate-signing-key');
  await until('the newer definitions', async () => (await store.definitions())?.version === 2);
  await until('the newer keys', async () => (await store.chain())?.keys.version === 2);

  await db.updateTable('devices').set(backup).where('uuid', '=', uuid).execute();
  await db.deleteFrom('definition_sets').where('version', '>', 1).execute();
  await db.deleteFrom('feed_keys').where('version', '>', 1).execute();
  await set('strict');
  // Long enough for the agent, which polls at least once a minute.
  await world.stopServer();
  await world.startServer();
  await until('the server to be reached again', () => world.agentOutput().includes('The server can be reached again.'), 60_000);
  const currentPolicy = await store.policy();
  log(`without a raised epoch: the server says version 2, the agent has version ${currentPolicy?.version}`);
  if (currentPolicy?.version !== 4) problems.push(`without a raised epoch the agent has version ${currentPolicy?.version} and not 4`);
  if ((await store.definitions())?.version !== 2) problems.push('without a raised epoch the agent took older definitions');

  const startedAt = performance.now();
  await command('epoch', 'raise');
  await hasPolicy(2, 'strict');
  await until('the definitions of the new epoch', async () => ((await store.definitions())?.epoch ?? 1) > 1);
  log(`strict is in force ${Math.round(performance.now() - startedAt)} ms after the command was typed`);
  await command('keys', 'rotate-policy', '--stolen');
  await set('permissive');
  await hasPolicy(3, 'permissive');
}
