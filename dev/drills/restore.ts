import { join } from 'node:path';
import { openStore, type Store } from '@porchlight/agent/state/store.ts';
import { type Db, openDb } from '@porchlight/server/db/open.ts';
import { porchlightProcess } from '@porchlight/server/testing/command.ts';
import { call } from '../call.ts';
import { registeredPerson } from '../people.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { until } from '../until.ts';
import { startWorld, type World } from '../world.ts';

/**
 * A real agent has seen version 4 of its policy and newer definitions; the database is put back under the server, which then says version 2. The agent
 * is never silently older, takes what the server says once the epoch was raised by the operator's command, and follows new keys after it. Gives back
 * what was wrong, one sentence each.
 */
export async function restoreDrill(log: (line: string) => void = () => {}): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [postgres];
  const { db, close } = openDb(postgres.url, 2);
  const wrong: string[] = [];
  let world: World | null = null;
  try {
    world = await startWorld({ databaseUrl: postgres.url });
    await restored(world, db, postgres.url, log, wrong);
  } finally {
    await world?.close();
    await close();
    await postgres.stop();
  }
  return wrong;
}

async function restored(world: World, db: Db, database_url: string, log: (line: string) => void, wrong: string[]): Promise<void> {
  const { token } = await registeredPerson(world);
  const { uuid, login_code } = await call(world.url, 'POST /web/create-device', { token, body: { name: 'Den PC' } });
  const backup = await db
    .selectFrom('devices')
    .select(['name', 'policy', 'policy_version'])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  world.startAgent(['--code', String(login_code)]);
  const store: Store = await openStore(join(world.dataDir, 'agent'));
  const has = (version: number, policy: string) =>
    until(`version ${version}, ${policy}`, async () => {
      const now = await store.policy();
      return now?.version === version && now.policy.uuid === policy;
    });
  const set = (policy: string) => call(world.url, 'POST /web/devices/:uuid', { token, params: { uuid }, body: { name: 'Den PC', policy } });
  await has(1, 'strict');
  for (const policy of ['strict', 'strict', 'permissive']) await set(policy);
  await has(4, 'permissive');
  const env = { DATABASE_URL: database_url, DATA_DIR: world.dataDir, PUBLIC_URL: world.url };
  const command = async (...words: string[]) => {
    const { code, out, err } = await porchlightProcess(words, env);
    log(`${words.join(' ')}: ${(out || err).trim()}`);
    if (code !== 0) wrong.push(`"${words.join(' ')}" ended with ${code}: ${err}`);
  };
  await command('definitions', 'rotate-signing-key');
  await until('the newer definitions', async () => (await store.definitions())?.version === 2);
  await until('the newer keys', async () => (await store.chain())?.keys.version === 2);

  await db.updateTable('devices').set(backup).where('uuid', '=', uuid).execute();
  await db.deleteFrom('definition_sets').where('version', '>', 1).execute();
  await db.deleteFrom('feed_keys').where('version', '>', 1).execute();
  await set('strict');
  // It is asked again at least once a minute, and has answered then.
  await world.stopServer();
  await world.startServer();
  await until('the server to be reached again', () => world.agentSaid().includes('The server can be reached again.'), 60_000);
  const now = await store.policy();
  log(`without a raised epoch: the server says version 2, the agent has version ${now?.version}`);
  if (now?.version !== 4) wrong.push(`without a raised epoch the agent has version ${now?.version} and not 4`);
  if ((await store.definitions())?.version !== 2) wrong.push('without a raised epoch the agent took older definitions');

  const began = performance.now();
  await command('epoch', 'raise');
  await has(2, 'strict');
  await until('the definitions of the new epoch', async () => ((await store.definitions())?.epoch ?? 1) > 1);
  log(`strict is in force ${Math.round(performance.now() - began)} ms after the command was typed`);
  await command('keys', 'rotate-policy', '--stolen');
  await set('permissive');
  await has(3, 'permissive');
}
