import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { type CommandResult, runCommand } from '../cli/run.ts';
import { admin, withDatabase } from './global-setup.ts';
import { incidentFamily } from './incident-family.ts';
import { type TestServer, testServer } from './world.ts';

export const testSecret = 'a secret key for tests, thirty-two characters';

/** A server with a family in an incident, and for each test a folder of its own, and commands. */
export function backupWorld() {
  let server: TestServer;
  let folder = '';
  const databases: string[] = [];
  beforeAll(async () => {
    server = await testServer();
    const family = await incidentFamily(server);
    await family.stops();
    await family.allow();
    // Jobs that still ran would change rows.
    await server.mailsTo(family.email);
  }, 60_000);
  afterAll(() => server.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'porchlight-backup-'));
    await writeFile(join(folder, 'passphrase'), 'five random words in a file\n');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    for (const name of databases.splice(0)) await admin(inject('postgres_url'), `drop database ${name} with (force)`);
  });

  /** A second passes between two commands, because the name of a backup has its second. */
  let seconds = 0;
  const clock = { now: () => new Date(Date.UTC(2026, 10, 26, 9, 50, seconds)) };
  const run = (env: Record<string, string>, ...args: string[]): Promise<CommandResult> => {
    seconds++;
    return runCommand(args, () => ({ DATA_DIR: join(folder, 'data'), ...env }), clock);
  };
  const passphraseArgs = () => ['--passphrase-file', join(folder, 'passphrase')];
  const ofServer = () => ({ DATABASE_URL: server.database_url, SECRET_KEY: testSecret });

  return {
    clock,
    run,
    passphraseArgs,
    ofServer,
    url: () => server.database_url,
    /** A server on another database. */
    serverOn: (database_url: string) => testServer({}, undefined, { otherServer: { ...server, workers: new Set(), database_url } }),
    path: (name: string) => join(folder, name),
    backups: () => join(folder, 'backups'),

    async emptyDatabase(): Promise<string> {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await admin(inject('postgres_url'), `create database ${name}`);
      databases.push(name);
      return withDatabase(inject('postgres_url'), name);
    },

    /** The path of a new backup of the server. */
    async backup(...args: string[]): Promise<string> {
      const { code, out, err } = await run(
        ofServer(),
        'backup',
        '--to',
        join(folder, 'backups'),
        ...(args.length ? args : passphraseArgs()),
      );
      expect([code, err]).toEqual([0, '']);
      return /^\S+\.backup/.exec(out)?.[0] ?? '';
    },

    restored: (url: string, source: string, ...args: string[]) =>
      run({ DATABASE_URL: url }, 'restore', source, ...passphraseArgs(), ...args),
  };
}

export async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
