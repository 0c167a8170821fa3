import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brand } from '@porchlight/contract/brand.ts';
import { hour } from '@porchlight/contract/time.ts';
import { defaultLists } from '@porchlight/definitions/default-lists.ts';
import type { Config } from '../../config.ts';
import { isOldList, type SiteListRow, siteListStore } from '../../features/definitions/site-lists.ts';
import { feedTrouble } from '../../features/definitions/upstream.ts';
import { type UpstreamRow, upstreamStore } from '../../features/definitions/upstream-store.ts';
import { installerFiles } from '../../features/downloads/installers.ts';
import { isBackupOld, newestBackup } from '../../features/operator-alerts/checks/backup.ts';
import type { Clock } from '../../lib/clock.ts';
import { utcText } from '../../texts/formatting.ts';
import { type Check, error, type Finding, ok, unknown, warning } from './check.ts';
import { unlessMissing } from './computer.ts';
import { type OpenedDatabase, withDatabase } from './database-checks.ts';

/** A backup a day, and two hours for it to run later than usual. */
const backupAgeLimit = 26 * hour;

interface FileDeps {
  config: Config;
  clock: Clock;
  database: Promise<OpenedDatabase>;
  /** The folder of backups; undefined: not checked. */
  backups: string | undefined;
}

export function fileChecks({ config, clock, database, backups }: FileDeps): Check[] {
  const { site_lists, installers_dir, definitions_feed: feed } = config;
  const hasLists = site_lists.first || site_lists.default || site_lists.own.length > 0;
  return [
    hasLists
      ? withDatabase({ database }, { id: 'lists.age', needs: ['SITE_LISTS'] }, async (db) =>
          listFinding(await siteListStore(db, clock).all(), clock.now()),
        )
      : { id: 'lists.age', needs: ['SITE_LISTS'], run: () => ok('No lists of sites are used (SITE_LISTS=off).') },
    feed
      ? withDatabase({ database }, { id: 'definitions.feed', needs: ['DEFINITIONS_FEED'] }, async (db) =>
          feedFinding(await upstreamStore(db, clock, feed.root).state(feed.url), clock.now()),
        )
      : {
          id: 'definitions.feed',
          needs: ['DEFINITIONS_FEED'],
          run: () => ok('No feed of definitions is fetched: what ships with this version is recognized.'),
        },
    { id: 'installers.present', needs: ['INSTALLERS_DIR', 'DATA_DIR'], run: () => installerFinding(installers_dir) },
    ...noted(config, clock, database),
    ...(backups === undefined ? [] : [{ id: 'backups.newest', run: () => backupFinding(backups, clock.now()) } satisfies Check]),
  ];
}

export function listFinding(lists: SiteListRow[], now: Date): Finding {
  if (!lists.length) return unknown('No list of sites was fetched yet; the server does so at its start.');
  const old = lists.filter((list) => isOldList(list, now));
  if (!old.length) return ok(`${lists.length === 1 ? 'The list of sites is' : `All ${lists.length} lists of sites are`} up to date.`);
  const names = old.map(
    (list) =>
      `${nameOf(list)} (${list.fetched ? `of ${list.fetched.toISOString().slice(0, 10)}` : 'never fetched'}${list.problem ? `: ${list.problem}` : ''})`,
  );
  return warning(`Lists of sites are old: ${names.join('; ')}. Check that the server may reach them; "definitions status" shows each.`);
}

export function feedFinding(feed: UpstreamRow | undefined, now: Date): Finding {
  if (!feed) return unknown('The feed of definitions was not fetched yet; the server does so at its start.');
  const trouble = feedTrouble(feed, now);
  if (trouble) return warning(`The feed of definitions needs you: ${trouble} "definitions status" shows more.`);
  const since = feed.fetched?.toISOString().slice(0, 10);
  return ok(
    feed.problem
      ? `The feed of definitions is of ${since}; the last try failed: ${feed.problem}`
      : 'The feed of definitions is up to date.',
  );
}

const nameOf = ({ url }: SiteListRow) => defaultLists.find((list) => list.url === url)?.name ?? url;

async function installerFinding(folder: string): Promise<Finding> {
  const found = await Promise.all(
    Object.entries(installerFiles).map(async ([platform, file]) => {
      const installer = await stat(join(folder, file)).catch(unlessMissing);
      return { platform, exists: installer !== null && installer.isFile() && installer.size > 0 };
    }),
  );
  const [present, missing] = [true, false].map((exists) => found.filter((one) => one.exists === exists).map(({ platform }) => platform));
  if (!present?.length) return warning(`There are no installers in ${folder}, so nobody can protect a computer. Run: npm run installers`);
  if (missing?.length) return warning(`In ${folder} there is no installer for ${missing.join(' and ')}. Run: npm run installers`);
  return ok(`The installers for ${present.join(', ')} are in ${folder}.`);
}

/** `porchlight-2026-11-26T09-50-28Z.backup`, as the command backup writes it. */
const backupName = /^[a-z0-9-]+-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup$/;

/** What the command `backup` has noted. With BACKUP_ALERT_HOURS=off backups are made by other means. */
function noted({ backup_alert, production }: Config, clock: Clock, database: FileDeps['database']): Check[] {
  if (backup_alert === null || !production) return [];
  const check = withDatabase({ database }, { id: 'backups.noted', needs: ['BACKUP_ALERT_HOURS'] }, async (db) =>
    notedFinding(await newestBackup(db), backup_alert, clock.now()),
  );
  return [check];
}

export function notedFinding(made: Date | null, limit: number, now: Date): Finding {
  const hint =
    'Run: npm run porchlight -- backup, and see why the daily one did not run. BACKUP_ALERT_HOURS=off if you make backups otherwise.';
  if (made === null) return warning(`The command backup has made no backup of this database yet. ${hint}`);
  const text = `The newest backup is of ${utcText(made)}.`;
  return isBackupOld(made, limit, now) ? error(`${text} ${hint}`) : ok(text);
}

async function backupFinding(folder: string, now: Date): Promise<Finding> {
  const hint = `Run: npm run porchlight -- backup --to ${folder} --passphrase-file FILE, and see why the daily one did not run.`;
  const names = await readdir(folder).catch(unlessMissing);
  if (names === null) return error(`There is no folder ${folder}. ${hint}`);
  const backups = names.flatMap((name) => {
    const [, date, hours, minutes, seconds] = backupName.exec(name) ?? [];
    return date ? [{ name, made: new Date(`${date}T${hours}:${minutes}:${seconds}Z`) }] : [];
  });
  const newest = backups.sort((a, b) => b.made.getTime() - a.made.getTime())[0];
  if (!newest) return error(`There is no backup of ${brand.name} in ${folder}. ${hint}`);
  if ((await stat(join(folder, newest.name))).size === 0) return error(`The newest backup, ${newest.name}, is empty. ${hint}`);
  const age = now.getTime() - newest.made.getTime();
  const text = `The newest backup, ${newest.name}, is ${Math.max(0, Math.floor(age / hour))} hours old.`;
  return age > backupAgeLimit ? error(`${text} ${hint}`) : ok(text);
}
