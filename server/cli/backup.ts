import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '@porchlight/contract/language.ts';
import { Failure, Usage } from '@porchlight/definitions/cli/command-line.ts';
import pg from 'pg';
import { addBackup, draftFile } from '../backup/backup-folder.ts';
import { type BackupHeader, format } from '../backup/file-format.ts';
import { noteBackup } from '../backup/note-backup.ts';
import { checkBackup } from '../backup/read-backup.ts';
import { type BackupKeys, openKeys, passphraseMin, sealKeys } from '../backup/sealed-keys.ts';
import { contentOf, type KeyPlaces, refuseForeignKey, secretKeyId, secretKeyOf } from '../backup/server-keys.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { type Config, readConfig } from '../config.ts';
import { openDb } from '../db/open.ts';
import { sealer } from '../secrets/seal.ts';
import { secretKeyFile } from '../secrets/secret-key.ts';
import type { Command, CommandReport } from './command-deps.ts';
import { databaseAddress } from './database.ts';
import { programVersion } from './program-version.ts';
import { readOptions } from './usage.ts';
import { timeText, wholeNumber } from './values.ts';

export const makeBackup: Command = {
  name: 'backup',
  usage: '--to FOLDER (--passphrase-file FILE | --without-keys) [--keep N]',
  help: `One file with everything that the database has, as of one moment, while the server runs.
    --to FOLDER             Where it is put, with the time in its name.
    --passphrase-file FILE  The keys of this server (SECRET_KEY, and the key of updates) go into it, sealed with the passphrase in FILE.
    --without-keys          They are left out. Then store SECRET_KEY elsewhere: without it the backup cannot be used.
    --keep N                Of the backups in the folder the newest N stay, for a timer.`,
  readStandalone: (args) => {
    const options = readOptions('backup', args, {
      to: { type: 'string' },
      'passphrase-file': { type: 'string' },
      'without-keys': { type: 'boolean' },
      keep: { type: 'string' },
    });
    const { to: folder, 'passphrase-file': passphraseFile, 'without-keys': withoutKeys = false } = options;
    if (folder === undefined) throw new Usage('Say where the backup is put, with --to FOLDER.');
    if ((passphraseFile === undefined) !== withoutKeys) {
      throw new Usage('Say either --passphrase-file FILE, so that the keys of this server are in the backup, or --without-keys.');
    }
    const keep = options.keep === undefined ? null : wholeNumber('--keep', options.keep, { min: 1, max: 100_000 });
    return async ({ env, clock }) => {
      const config = readConfig(env);
      const now = clock.now();
      const passphrase = passphraseFile === undefined ? null : await passphraseIn(passphraseFile);
      const places = keyPlaces(config);
      const { url, close } = await databaseAddress(config);
      try {
        const keys = await keysToStore(places, url);
        const header: Omit<BackupHeader, 'migrations'> = {
          porchlight_backup: format,
          program: await programVersion(),
          created: now.toISOString(),
          secret_key_id: secretKeyId(keys.secret),
          keys: passphrase === null ? null : sealKeys(keys, passphrase),
        };
        let rows = 0;
        const path = await addBackup(
          folder,
          { time: now, keep },
          async (file) => {
            rows = await writeBackup(url, header, file);
          },
          checkBackup,
        );
        const note = await whyNotNoted(url, now);
        return success(
          `${path} has ${rowsText(rows)}, ${passphrase === null ? 'and no keys: store SECRET_KEY elsewhere, because without it nobody can use this backup.' : 'and the keys of this server, sealed with the passphrase.'}`,
          ...(note === null ? [] : [note]),
        );
      } finally {
        await close();
      }
    };
  },
};

/** The backup is whole and in its place, so this is no reason to call it failed. Null: it was noted. */
async function whyNotNoted(url: string, made: Date): Promise<string | null> {
  const { db, close } = openDb(url, 1);
  try {
    await noteBackup(db, made);
    return null;
  } catch (err) {
    const { message, code } = err as { message?: string; code?: string };
    return `The database could not note it (${message || code}), so the server may still notify you that there is no recent backup.`;
  } finally {
    await close();
  }
}

export const inspectBackup: Command = {
  name: 'backup check',
  usage: 'FILE',
  help: 'Reads a backup whole, and reports what it is. Opens nothing else.',
  readStandalone: ([file, ...args]) => {
    const path = fileArgument('backup check', file, args);
    return async () => {
      const { header, rows } = await checkBackup(path);
      return success(
        `${path} is whole: ${rowsText(rows)}, written ${timeText(new Date(header.created))} by Porchlight ${header.program}, ${header.keys ? 'with keys' : 'without keys'}.`,
      );
    };
  },
};

export const takeKeys: Command = {
  name: 'backup keys',
  usage: 'FILE --passphrase-file FILE --to FOLDER',
  help: 'Takes the keys out of a backup, for a server that gets them by its settings: secret.key is SECRET_KEY, release-key.json is RELEASE_KEY.',
  readStandalone: ([file, ...args]) => {
    const { to, 'passphrase-file': passphraseFile } = readOptions('backup keys', args, {
      to: { type: 'string' },
      'passphrase-file': { type: 'string' },
    });
    const path = fileArgument('backup keys', file, []);
    if (to === undefined || passphraseFile === undefined) {
      throw new Usage('Say --passphrase-file FILE, with the passphrase of the backup, and --to FOLDER, where the keys are put.');
    }
    return async ({ clock }) => {
      const keys = await keysIn(path, (await checkBackup(path)).header, passphraseFile);
      await mkdir(to, { recursive: true, mode: 0o700 });
      const former = formerName(clock.now());
      for (const [name, content] of [
        ['secret.key', keys.secret],
        ['release-key.json', keys.release],
      ] as const) {
        const keyFile = join(to, name);
        if (content !== null) await (await draftFile(keyFile, content)).place(former(keyFile));
      }
      return success(`The keys are in ${to}. Delete them there once the server has them.`);
    };
  },
};

const success = (...sentences: string[]): CommandReport => ({ code: 0, sentences });

export const keyPlaces = ({ secret_key, data_dir, release_key }: Config): KeyPlaces => ({
  secret_key,
  secret_file: secretKeyFile(data_dir),
  release_file: release_key,
});

/** The name under which a file stays when another one takes its place. */
export const formerName = (now: Date) => (path: string) => `${path}.before-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export const rowsText = (rows: number) => counted(rows, 'row');

export function fileArgument(command: string, file: string | undefined, args: string[]): string {
  if (file === undefined || file.startsWith('-')) throw new Usage(`Say which file, as in ${command} FILE.`);
  readOptions(command, args, {});
  return file;
}

export async function keysIn(path: string, { keys }: BackupHeader, passphraseFile: string): Promise<BackupKeys> {
  if (!keys) throw new Failure(`${path} was made without keys, so it has none to take out.`);
  const opened = openKeys(keys, await passphraseIn(passphraseFile));
  if (!opened) throw new Failure(`The passphrase in ${passphraseFile} is not the one that ${path} was sealed with.`);
  return opened;
}

async function passphraseIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Usage(`${file} cannot be read; check the name, and who may read it.`);
  });
  // An editor ends the file with a line break.
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length < passphraseMin) {
    throw new Usage(`The passphrase in ${file} needs at least ${passphraseMin} characters; five random words are good.`);
  }
  return passphrase;
}

async function keysToStore(places: KeyPlaces, url: string): Promise<BackupKeys> {
  const secret = await secretKeyOf(places);
  if (secret === null) {
    throw new Failure(
      `There is no SECRET_KEY, and no file ${places.secret_file}, so this is not where the server runs. Use its settings: SECRET_KEY, or its DATA_DIR.`,
    );
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await refuseForeignKey(client, sealer(secret));
  } finally {
    await client.end().catch(() => {});
  }
  return { secret, release: await contentOf(places.release_file) };
}
