import { everyRow } from './every-row.ts';
import type { TestServer } from './world.ts';

/** Every row of every table, with the names of columns, to search for what must not be stored. */
export async function databaseText({ db }: Pick<TestServer, 'db'>): Promise<string> {
  const rows = await everyRow({ db });
  return rows.map(({ name, row }) => `${name} ${row}`).join('\n');
}
