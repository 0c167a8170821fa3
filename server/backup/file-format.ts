import { z } from 'zod';

/**
 * A backup is one zstd stream of lines. The first is the header. Each table follows as a line with its name and columns, its rows in PostgreSQL's
 * text format of COPY, and a line `\.`, which no row can be. The last line is the end, with the SHA-256 of all bytes before it. So `zstd -dc FILE`
 * shows a backup to a person, any PostgreSQL reads its rows, and a file that was cut off or changed is recognized.
 */
export const format = 1;

const sealedKeys = z.object({
  /** The parameters of scrypt; `cost` is the logarithm of N. */
  salt: z.string(),
  cost: z.int().min(10).max(22),
  sealed: z.string(),
});
export type SealedKeys = z.infer<typeof sealedKeys>;

export const backupHeader = z.object({
  porchlight_backup: z.literal(format),
  /** The program that wrote the backup. */
  program: z.string(),
  created: z.iso.datetime(),
  /** All migrations of the database, in order. */
  migrations: z.array(z.string()).min(1),
  /** Identifies SECRET_KEY, which sealed the private keys and PINs among the rows. */
  secret_key_id: z.string(),
  /** Null of a backup without keys. */
  keys: sealedKeys.nullable(),
});
export type BackupHeader = z.infer<typeof backupHeader>;

export const identifierPattern = /^[a-z_][a-z0-9_]*$/;
const identifier = z.string().regex(identifierPattern);
export const tableHeader = z.object({ table: identifier, columns: z.array(identifier).min(1) });
export type TableHeader = z.infer<typeof tableHeader>;

export const backupEnd = z.object({
  end: z.object({
    /** Rows by table. */
    rows: z.record(identifier, z.int().min(0)),
    /** The last number that each identity column has given, as `table.column`. */
    numbers: z.record(z.string().regex(/^[a-z0-9_]+\.[a-z0-9_]+$/), z.int()),
    /** Hexadecimal, of all uncompressed bytes before this line. */
    sha256: z.string(),
  }),
});
export type BackupEnd = z.infer<typeof backupEnd>['end'];

/** Ends the rows of a table. */
export const rowsEnd = '\\.\n';

/** A backup or a restore cannot go on. The message says why, and what to do. */
export class BackupFailure extends Error {}

/** A file is no backup, is damaged, or was written by a newer program. */
export class BadBackup extends BackupFailure {}
