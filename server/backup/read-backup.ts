import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import {
  type BackupEnd,
  type BackupHeader,
  BadBackup,
  backupEnd,
  backupHeader,
  format,
  rowsEnd,
  type TableHeader,
  tableHeader,
} from './file-format.ts';
import { backupLines, CutOff } from './read-lines.ts';

export interface BackupReader {
  header(header: BackupHeader): Promise<void>;
  /** The reader must read all of `rows`. */
  table(table: TableHeader, rows: AsyncIterable<Buffer>): Promise<void>;
  /** Called once all bytes have been compared with the hash. */
  end(end: BackupEnd): Promise<void>;
}

/** Reads a backup from its beginning to its end. Throws `BadBackup` for a file that is damaged or none, also after some tables. */
export async function readBackup(path: string, reader: BackupReader): Promise<void> {
  const file = createReadStream(path);
  const decompressed = createZstdDecompress();
  file.on('error', (reason) => decompressed.destroy(reason));
  try {
    await readAll(path, file.pipe(decompressed), reader);
  } catch (reason) {
    throw isDamage(reason) ? damaged(path) : reason;
  } finally {
    file.destroy();
    decompressed.destroy();
  }
}

/** Reads a backup whole, and changes nothing. Throws `BadBackup`. */
export async function checkBackup(path: string): Promise<{ header: BackupHeader; rows: number }> {
  let found: BackupHeader | undefined;
  let rows = 0;
  await readBackup(path, {
    async header(header) {
      found = header;
    },
    async table(_table, chunks) {
      for await (const _chunk of chunks);
    },
    async end(end) {
      for (const count of Object.values(end.rows)) rows += count;
    },
  });
  if (!found) throw damaged(path);
  return { header: found, rows };
}

const damaged = (path: string) => new BadBackup(`${path} is damaged or no backup. Take the backup before it.`);

/** Errors of zlib, of our lines, of JSON and of the shapes. */
function isDamage(reason: unknown): boolean {
  const { code = '', name = '' } = reason as { code?: string; name?: string };
  return reason instanceof CutOff || reason instanceof SyntaxError || name === 'ZodError' || /^(ZSTD_|Z_|ERR_ZSTD|ERR_ZLIB)/.test(code);
}

async function readAll(path: string, chunks: AsyncIterable<Buffer>, reader: BackupReader): Promise<void> {
  const hash = createHash('sha256');
  const lines = backupLines(chunks);
  const nextLine = async () => {
    const text = await lines.line();
    if (text === null) throw new CutOff('The last line is missing.');
    return text;
  };
  const first = await nextLine();
  hash.update(`${first}\n`);
  await reader.header(headerIn(path, first));

  for (;;) {
    const text = await nextLine();
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed && 'end' in parsed) {
      const { end } = backupEnd.parse(parsed);
      if (end.sha256 !== hash.digest('hex')) throw new CutOff('The bytes are others than were written.');
      if ((await lines.line()) !== null) throw new CutOff('More lines follow the last one.');
      return reader.end(end);
    }
    hash.update(`${text}\n`);
    await reader.table(tableHeader.parse(parsed), hashed(lines.rows(), hash.update.bind(hash)));
    hash.update(rowsEnd);
  }
}

async function* hashed(rows: AsyncIterable<Buffer>, update: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    update(chunk);
    yield chunk;
  }
}

function headerIn(path: string, text: string): BackupHeader {
  const parsed = JSON.parse(text) as { porchlight_backup?: unknown; program?: unknown } | null;
  if (typeof parsed?.porchlight_backup === 'number' && parsed.porchlight_backup > format) {
    throw new BadBackup(`${path} was written by Porchlight ${String(parsed.program)}, which is newer. Restore it with that version.`);
  }
  return backupHeader.parse(parsed);
}
