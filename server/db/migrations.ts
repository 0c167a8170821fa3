import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * The files of `migrations`, in the order in which they run, with their SHA-256. A file never changes after its commit, since databases have run it;
 * a change of the tables is a new file with the next number.
 */
export const migrationFiles: Record<string, string> = {
  '0001-first': '6065b4c3b8e50222225c9030fa0c5b179c16cee77930a20cde34b9aa8384607a',
  '0002-request-calls': 'e1879f3d2499dd5dceab443de38693018da665cef41b930a5cd15d811047e73c',
  '0003-waiting-entries': '5d6e98059c93bf4eb5e3c670108ed6dd07d35b5b0c7e482c6e201c877674f510',
  '0004-appointments': 'd4829c7864a96687151eaa9bc1fd829bf5d1ef19cff1040491d695a6086cee07',
  '0005-notification-origins': '707ae550e19b3a4fa4c7f58073aa5d2e652f8ad0a5c627bfa684192ca7dca5e0',
  '0006-weekly-choices': 'b961ea2e02329a7b2588f8397feb997aba5120b2c3c3599e5b0d93c33b3bec2a',
  '0007-quiet-alerts': '24ea95635b145cdd5e0cec73edcb4976b473e1b6b80349f44e0600755c5269af',
  '0008-upstream-feed': 'df4e781c9b522b6ba3732108b7d3fdec1c96f955cf8066890aa2b5140f025478',
  '0009-opened-sites': '8a57d1a883b4274d1d4270ab74f6e96529dedc1a19d20579982bf1d96de975d1',
  '0010-resolver-chosen': '969a9702c305d61f1f23036eba27d4862252b47bca0b4a7689b0a02666ab84e7',
};

/**
 * How a database names a migration: the file, and the beginning of its hash. So a database that has run another text of a file is recognized, and so
 * is one from before 1.0, whose names have no hash.
 */
const idOf = (file: string, sha256: string) => `${file} ${sha256.slice(0, 16)}`;

/** `0001-first`, of the name in a database. */
export const fileOf = (id: string) => id.split(' ')[0] ?? '';

/** The names that databases and backups have for them, in the order in which they run. */
export const migrationIds = Object.entries(migrationFiles).map(([file, sha256]) => idOf(file, sha256));

/** The statements of a migration. Throws an error for the operator when the file was changed. */
export function statementsOf(id: string): string {
  const file = fileOf(id);
  const text = readFileSync(new URL(`./migrations/${file}.sql`, import.meta.url), 'utf8');
  const sha256 = sha256OfMigration(text);
  if (sha256 !== migrationFiles[file])
    throw new Error(
      `server/db/migrations/${file}.sql is not the file of this version: its SHA-256 is ${sha256}. Nothing was changed. Install this version again.`,
    );
  return text;
}

/** Git may check a file out with other line ends. */
export const sha256OfMigration = (text: string) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');

/** What this version cannot use: files from before 1.0, files that had another text, or files that it does not know. */
export interface Mismatch {
  kind: 'before_1_0' | 'edited' | 'newer';
  files: string[];
}

/** Why this version cannot use what has run these migrations, by their ids; null if it can. */
export function mismatchOf(applied: string[], known = migrationIds): Mismatch | null {
  const knownFiles = known.map(fileOf);
  const unknown = applied.filter((id) => !known.includes(id));
  const old = unknown.filter((id) => fileOf(id) === id);
  const edited = unknown.filter((id) => knownFiles.includes(fileOf(id)));
  const [kind, ids] = old.length
    ? (['before_1_0', old] as const)
    : edited.length
      ? (['edited', edited] as const)
      : (['newer', unknown] as const);
  return ids.length ? { kind, files: ids.map(fileOf) } : null;
}

/** Null for a database that this version can use. */
export function databaseRefusal(applied: string[]): string | null {
  const mismatch = mismatchOf(applied);
  if (!mismatch) return null;
  const files = mismatch.files.join(', ');
  return {
    before_1_0:
      'This database is from before Porchlight 1.0, and no later version can use its tables. Begin with a new one: name another database in DATABASE_URL, or another folder in DATA_DIR.',
    edited: `This database has tables by another text of ${files} than this version has. Use the Porchlight that made them, or restore a backup that this version made.`,
    newer: `A newer Porchlight has changed this database (${files}), and this one does not know it. Install the newer version, or restore an earlier backup.`,
  }[mismatch.kind];
}
