import { mkdir, stat } from 'node:fs/promises';
import { Failure, Usage } from '@porchlight/definitions/cli/command-line.ts';
import { backupsIn, draftFile } from '../backup/backup-folder.ts';
import { type BackupHeader, BadBackup } from '../backup/file-format.ts';
import { checkBackup } from '../backup/read-backup.ts';
import { type Restored, restoreBackup } from '../backup/restore-backup.ts';
import type { BackupKeys } from '../backup/sealed-keys.ts';
import { contentOf, secretKeyId, secretKeyOf } from '../backup/server-keys.ts';
import { type Config, readConfig } from '../config.ts';
import type { Db } from '../db/open.ts';
import { definitionStore } from '../features/definitions/store.ts';
import type { Clock } from '../lib/clock.ts';
import { lockDataFolder } from '../lib/data-lock.ts';
import { sameSecret } from '../secrets/same-secret.ts';
import { sealer } from '../secrets/seal.ts';
import { formerName, keyPlaces, keysIn, rowsText } from './backup.ts';
import type { Command } from './command-deps.ts';
import { databaseAddress } from './database.ts';
import { readOptions } from './usage.ts';
import { timeText } from './values.ts';

export const restore: Command = {
  name: 'restore',
  usage: '(FILE | FOLDER) [--passphrase-file FILE] [--replace]',
  help: `Puts a backup in the place of the database, whole or not at all; the server must not run. Of a folder it takes the newest backup that is whole.
    --passphrase-file FILE  The passphrase of the keys in the backup, where this computer does not have SECRET_KEY.
    --replace               Also where the database has accounts, which are gone then.`,
  readStandalone: ([source, ...args]) => {
    if (source === undefined || source.startsWith('-'))
      throw new Usage('Say which backup, as in restore FILE, or restore FOLDER for the newest one.');
    const { 'passphrase-file': passphraseFile, replace = false } = readOptions('restore', args, {
      'passphrase-file': { type: 'string' },
      replace: { type: 'boolean' },
    });
    return async ({ env, clock }) => {
      const config = readConfig(env);
      const { path, header, notes } = await backupToRestore(source);
      const keys = await keysFor(path, header, config, passphraseFile);
      await mkdir(config.data_dir, { recursive: true, mode: 0o700 });
      // A server on the embedded database locks its folder.
      const lock = config.database_url ? null : await lockDataFolder(config.data_dir);
      if (!config.database_url && !lock)
        throw new Failure(`A Porchlight server runs on ${config.data_dir}. Stop it first, and restore again.`);
      try {
        const keyFiles = await draftKeys(keys, config, clock);
        try {
          const { rows, left_out } = await restoreRows({ path, header, replace, config, clock, secret: keys.secret });
          // Until now the keys are those of the previous database.
          for (const { place } of keyFiles) await place();
          const sentences = [
            ...notes,
            `Restored ${rowsText(rows)} from ${path}, written ${timeText(new Date(header.created))}. Agents take what this database says from the next start of the server on.`,
            ...(left_out.length ? [`Left out, because Porchlight did not make it: ${left_out.join(', ')}.`] : []),
            ...keyFiles.map(({ sentence }) => sentence),
            'Passwords, keys and settings that were changed after the backup are the old ones again: if a key was changed because somebody may know it, change it once more.',
          ];
          return { code: 0, sentences };
        } finally {
          for (const { discard } of keyFiles) await discard();
        }
      } finally {
        await lock?.release();
      }
    };
  },
};

/** The newest whole backup of a folder, with a note about each newer file that is damaged. */
async function backupToRestore(source: string): Promise<{ path: string; header: BackupHeader; notes: string[] }> {
  const kind = await stat(source).catch(() => {
    throw new Usage(`${source} cannot be read; check the name.`);
  });
  if (!kind.isDirectory()) return { path: source, ...(await checkBackup(source)), notes: [] };
  const notes: string[] = [];
  for (const path of await backupsIn(source)) {
    try {
      return { path, ...(await checkBackup(path)), notes };
    } catch (reason) {
      if (!(reason instanceof BadBackup)) throw reason;
      notes.push(`Passed over: ${reason.message}`);
    }
  }
  throw new Failure([`There is no whole backup in ${source}.`, ...notes].join('\n'));
}

/** The keys that the rows of the backup were sealed with: those of this computer, or else those in the backup. */
async function keysFor(path: string, header: BackupHeader, config: Config, passphraseFile: string | undefined): Promise<BackupKeys> {
  if (passphraseFile !== undefined && header.keys) {
    const keys = await keysIn(path, header, passphraseFile);
    if (config.secret_key === undefined || sameSecret(config.secret_key, keys.secret)) return keys;
    throw new Failure(`SECRET_KEY is not the key of ${path}. Set it to that one, which "backup keys" takes out, or leave it out.`);
  }
  const secret = await secretKeyOf(keyPlaces(config));
  if (secret !== null && secretKeyId(secret) === header.secret_key_id) return { secret, release: null };
  throw new Failure(
    header.keys
      ? `This computer does not have the SECRET_KEY of ${path}. It is in the backup: say --passphrase-file FILE.`
      : `${path} was made without keys, and this computer does not have the SECRET_KEY that belongs to it. Set SECRET_KEY to that one, and restore again.`,
  );
}

interface RowsToRestore {
  path: string;
  header: BackupHeader;
  replace: boolean;
  config: Config;
  clock: Clock;
  secret: string;
}

async function restoreRows({ path, header, replace, config, clock, secret }: RowsToRestore): Promise<Restored> {
  const { url: database_url, close } = await databaseAddress(config);
  try {
    return await restoreBackup({ path, header, database_url, replace, raiseEpoch: (db) => raiseEpoch(db, clock, secret) });
  } finally {
    await close();
  }
}

/** A backup of a server that never published definitions has no keys to raise an epoch with; no agent knows any. */
async function raiseEpoch(db: Db, clock: Clock, secret: string): Promise<void> {
  const definitions = definitionStore(db, clock, sealer(secret));
  if ((await definitions.newest()).version > 0) await definitions.raiseEpoch();
}

/** The key files of the backup that this computer does not have, to be placed once the rows are restored, with a sentence about each. */
async function draftKeys(keys: BackupKeys, config: Config, clock: Clock) {
  const { secret_file, release_file } = keyPlaces(config);
  const wanted: [path: string, content: string | null, noun: string][] = [
    [secret_file, config.secret_key === undefined ? keys.secret : null, 'SECRET_KEY'],
    [release_file, keys.release, 'the key of updates'],
  ];
  const drafts: { sentence: string; place(): Promise<void>; discard(): Promise<void> }[] = [];
  try {
    for (const [path, content, noun] of wanted) {
      const present = await contentOf(path);
      if (content === null || present?.trim() === content.trim()) continue;
      const former = formerName(clock.now())(path);
      const { place, discard } = await draftFile(path, content);
      const formerSentence = present === null ? '' : `; the one before is in ${former}`;
      drafts.push({ sentence: `${path} is ${noun} of the backup${formerSentence}.`, place: () => place(former), discard });
    }
  } catch (reason) {
    for (const { discard } of drafts) await discard();
    throw reason;
  }
  return drafts;
}
