import { expect, test } from 'vitest';
import { postgresBinaries } from '../postgres-binaries.ts';
import { databaseOutagesDrill } from './database-outages.ts';

const isMissing = postgresBinaries() === null;
if (isMissing) console.log('Skipped: a restart of the database, because there is no PostgreSQL here (Debian: apt-get install postgresql).');

test.skipIf(isMissing)(
  'while PostgreSQL ends connections and restarts, the server lives, stores what it accepted once, serves again, and stops when asked',
  async () => {
    // The drill checks how soon; here the machine may be busy.
    expect(await databaseOutagesDrill({ seconds: 6, restarts: 1, rate: 60, servedWithin: 30_000 })).toEqual([]);
  },
);
