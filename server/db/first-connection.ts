import pg from 'pg';

/** Why the server cannot use its database, in a sentence that names the setting and never the password. */
export class DatabaseRefused extends Error {}

/** Connects once and answers how many connections this PostgreSQL allows. Throws `DatabaseRefused` after ten seconds at most. */
export async function tryDatabase(url: string): Promise<{ max_connections: number }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ max_connections: string }>('show max_connections');
    return { max_connections: Number(rows[0]?.max_connections) };
  } catch (err) {
    throw new DatabaseRefused(sentence(placeOf(url), err as NodeJS.ErrnoException));
  } finally {
    await client.end().catch(() => {});
  }
}

function sentence(place: string, { code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('28'))
    return `The PostgreSQL of DATABASE_URL (${place}) does not accept the user or the password in it. Correct DATABASE_URL.`;
  if (code === '3D000')
    return `The PostgreSQL of DATABASE_URL (${place}) has no database of that name. Create it, or correct DATABASE_URL.`;
  // Of several addresses that were tried Node says only the code.
  const why = message || code;
  return `No PostgreSQL answers at DATABASE_URL (${place}: ${why}). Check that it is running and that the address is right.`;
}

/** `host:port`, or the folder of a socket. */
function placeOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return searchParams.get('host') ?? host;
}
