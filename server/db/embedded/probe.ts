import pg from 'pg';
import { superuser } from './cluster.ts';

export const database = 'porchlight';

export function urlOf(socketFolder: string, name = database): string {
  return `postgres://${superuser}@localhost/${name}?host=${encodeURIComponent(socketFolder)}`;
}

/** `empty`: PostgreSQL runs, but our database does not exist yet. */
export async function probe(socketFolder: string): Promise<'ready' | 'empty' | 'not yet'> {
  try {
    await withClient(urlOf(socketFolder), (client) => client.query('select 1'));
    return 'ready';
  } catch (reason) {
    return (reason as { code?: string }).code === '3D000' ? 'empty' : 'not yet';
  }
}

export async function createDatabase(socketFolder: string): Promise<void> {
  await withClient(urlOf(socketFolder, 'postgres'), (client) => client.query(`create database ${database}`));
}

async function withClient<T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // Without a listener for errors, a lost connection would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
