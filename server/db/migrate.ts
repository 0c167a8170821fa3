import { type Migration, Migrator } from 'kysely/migration';
import * as first from './migrations/0001-first.ts';
import * as accounts from './migrations/0002-accounts.ts';
import * as devices from './migrations/0003-devices.ts';
import * as subscriptions from './migrations/0004-subscriptions.ts';
import * as guardians from './migrations/0005-guardians.ts';
import * as deliveries from './migrations/0006-deliveries.ts';
import * as care from './migrations/0007-care.ts';
import * as feed from './migrations/0008-feed.ts';
import * as pins from './migrations/0009-pins.ts';
import * as scans from './migrations/0010-scans.ts';
import * as enrolling from './migrations/0011-enrolling.ts';
import * as bounds from './migrations/0012-bounds.ts';
import type { Db } from './open.ts';

/** In order; a released one is never changed. */
const migrations: Record<string, Migration> = {
  '0001-first': first,
  '0002-accounts': accounts,
  '0003-devices': devices,
  '0004-subscriptions': subscriptions,
  '0005-guardians': guardians,
  '0006-deliveries': deliveries,
  '0007-care': care,
  '0008-feed': feed,
  '0009-pins': pins,
  '0010-scans': scans,
  '0011-enrolling': enrolling,
  '0012-bounds': bounds,
};

/** Brings the database to the newest form. Kysely's lock lets several servers start at once. Throws what the failed migration threw. */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
