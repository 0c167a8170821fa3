import pg from 'pg';

export class DatabaseRefused extends Error {}

/** Returns PostgreSQL's connection limit. Throws `DatabaseRefused` after ten seconds at most. */
export async function tryDatabase(url: string): Promise<{ max_connections: number }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ max_connections: string }>('show max_connections');
    return { max_connections: Number(rows[0]?.max_connections) };
  } catch (err) {
    throw new DatabaseRefused(sentence(hostAndPortOf(url), err as NodeJS.ErrnoException));
  } finally {
    await client.end().catch(() => {});
  }
}

function sentence(hostAndPort: string, { code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('28'))
    return `The PostgreSQL of DATABASE_URL (${hostAndPort}) does not accept the user or the password in it. Correct DATABASE_URL.`;
  if (code === '3D000')
    return `The PostgreSQL of DATABASE_URL (${hostAndPort}) has no database of that name. Create it, or correct DATABASE_URL.`;
  // When several addresses failed, Node's error has a code but no message.
  const problem = message || code;
  return `No PostgreSQL answers at DATABASE_URL (${hostAndPort}: ${problem}). Check that it is running and that the address is right.`;
}

/** `host:port`, or the folder of a unix socket. */
function hostAndPortOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}
