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
import * as owner from './migrations/0013-owner.ts';
import * as epoch from './migrations/0014-epoch.ts';
import * as lanes from './migrations/0015-lanes.ts';
import * as growth from './migrations/0016-growth.ts';
import * as simulators from './migrations/0017-simulators.ts';
import * as budgets from './migrations/0018-budgets.ts';
import * as silence from './migrations/0019-silence.ts';
import * as together from './migrations/0020-together.ts';
import * as answers from './migrations/0021-answers.ts';
import * as person from './migrations/0022-person.ts';
import * as undo from './migrations/0023-undo.ts';
import * as fieldWords from './migrations/0024-field-words.ts';
import * as browsingProtection from './migrations/0025-browsing-protection.ts';
import * as incidents from './migrations/0026-incidents.ts';
import * as mailEnds from './migrations/0027-mail-ends.ts';
import * as emergencyStops from './migrations/0028-emergency-stops.ts';
import * as removedDevices from './migrations/0029-removed-devices.ts';
import * as reach from './migrations/0030-reach.ts';
import * as firstHour from './migrations/0031-first-hour.ts';
import * as signInMethods from './migrations/0032-sign-in-methods.ts';
import * as operation from './migrations/0033-operation.ts';
import * as unlisted from './migrations/0034-unlisted.ts';
import * as evidence from './migrations/0035-evidence.ts';
import * as gate from './migrations/0036-gate.ts';
import * as verifiedIsolations from './migrations/0037-verified-isolations.ts';
import type { Db } from './open.ts';

/** In order; a released migration is never changed. */
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
  '0013-owner': owner,
  '0015-lanes': lanes,
  '0017-simulators': simulators,
  '0019-silence': silence,
  '0014-epoch': epoch,
  '0016-growth': growth,
  '0018-budgets': budgets,
  '0020-together': together,
  '0022-person': person,
  '0021-answers': answers,
  '0023-undo': undo,
  '0024-field-words': fieldWords,
  '0025-browsing-protection': browsingProtection,
  '0026-incidents': incidents,
  '0027-mail-ends': mailEnds,
  '0028-emergency-stops': emergencyStops,
  '0029-removed-devices': removedDevices,
  '0030-reach': reach,
  '0031-first-hour': firstHour,
  '0032-sign-in-methods': signInMethods,
  '0033-operation': operation,
  '0034-unlisted': unlisted,
  '0035-evidence': evidence,
  '0036-gate': gate,
  '0037-verified-isolations': verifiedIsolations,
};

/** In the order in which they run. */
export const migrationNames = Object.keys(migrations).sort();

/**
 * One transaction per migration, so that a running server waits only briefly; all in one where no tables are yet, since nobody waits there. Kysely
 * locks, because several servers may start at once. Throws the error of the failed migration; the earlier ones stay. `until`: the last migration to
 * run. `schema`: where the connection's tables are, if another schema has such tables too.
 */
export async function migrate(db: Db, { until, schema }: { until?: string | undefined; schema?: string } = {}): Promise<void> {
  const wanted = Object.fromEntries(Object.entries(migrations).filter(([name]) => until === undefined || name <= until));
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => wanted },
    ...(schema ? { migrationTableSchema: schema } : {}),
  });
  const isNew = (await migrator.getMigrations()).every(({ executedAt }) => !executedAt);
  for (;;) {
    const { error, results } = await (isNew ? migrator.migrateToLatest() : migrator.migrateUp());
    if (error) throw error;
    if (!results?.length) return;
  }
}
