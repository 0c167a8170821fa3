import { brand } from '@porchlight/contract/brand.ts';
import { appliedMigrations } from '../db/migrate.ts';
import { fileOf, migrationIds } from '../db/migrations.ts';
import type { Db } from '../db/open.ts';
import { within } from '../lib/within.ts';
import type { Command, Surroundings } from './command-deps.ts';
import { closeWithin, type OpenedDatabase, openUnchanged, versionOf, versionText } from './doctor/database-checks.ts';
import { secretMasker } from './doctor/mask.ts';
import { usableSettings } from './doctor/usable-settings.ts';
import { programVersion } from './program-version.ts';
import { readOptions } from './usage.ts';

export const version: Command = {
  name: 'version',
  usage: '',
  help: 'The versions of the program, Node, PostgreSQL and the tables, and the epoch of what is signed; also without a database.',
  readStandalone: (args) => {
    readOptions('version', args, {});
    return async (surroundings) => {
      return {
        code: 0,
        sentences: [
          `${brand.name} ${await programVersion()}, Node ${process.versions.node}.`,
          `The newest tables that this version knows are ${fileOf(migrationIds.at(-1) ?? '')}.`,
          ...(await databaseSentences(surroundings)),
        ],
      };
    };
  },
};

async function databaseSentences({ env, network: { limits } }: Surroundings): Promise<string[]> {
  const { config, broken } = usableSettings(env);
  if (broken.has('DATABASE_URL') || broken.has('DATA_DIR')) return ['The settings of the database are wrong; "doctor" says how.'];
  const opening = openUnchanged(config);
  const masked = secretMasker(env);
  const notKnown = (reason: string) => [`What the database has is not known. ${masked(reason)}`];
  try {
    const opened = await within<OpenedDatabase, null>(opening, limits.check, () => null);
    if (!opened?.db) return notKnown(opened?.finding.text ?? 'It did not answer.');
    return await within(sentencesOf(opened.db), limits.check, () => notKnown('It did not answer.'));
  } finally {
    await closeWithin(opening, limits.close);
  }
}

async function sentencesOf(db: Db): Promise<string[]> {
  const migrations = await appliedMigrations(db);
  const newest = migrations.includes(migrationIds[0] ?? '')
    ? await db.selectFrom('feed_keys').select('epoch').orderBy('version', 'desc').limit(1).executeTakeFirst()
    : undefined;
  return [
    `PostgreSQL ${versionText(await versionOf(db))}.`,
    migrations.length ? `The newest tables in the database are ${fileOf(migrations.at(-1) ?? '')}.` : 'The database has no tables yet.',
    newest ? `The epoch is ${newest.epoch}.` : 'Nothing was signed yet, so there is no epoch.',
  ];
}
