import { rowsEnd } from './file-format.ts';

/** Reads lines, and the rows of tables as they come, without more than two chunks in memory. */
export interface BackupLines {
  /** Without its line break; null at the end of the file. Throws for a line longer than `lineMax`. */
  line(): Promise<string | null>;
  /** Up to the line `\.`, which is not part of them. Throws when the file ends before it. */
  rows(): AsyncGenerator<Buffer>;
}

/** Bytes. A header has all names of migrations, and the keys of a table's columns. */
const lineMax = 1_000_000;

const marker = Buffer.from(rowsEnd);
const markerAfterRow = Buffer.from(`\n${rowsEnd}`);

export class CutOff extends Error {}

export function backupLines(chunks: AsyncIterable<Buffer>): BackupLines {
  const source = chunks[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value, done } = await source.next();
    if (done) return false;
    buffered = buffered.length ? Buffer.concat([buffered, value]) : value;
    return true;
  };

  return {
    async line() {
      for (let at = -1; ; ) {
        at = buffered.indexOf(10);
        if (at >= 0) {
          const text = buffered.toString('utf8', 0, at);
          buffered = buffered.subarray(at + 1);
          return text;
        }
        if (buffered.length > lineMax) throw new CutOff('A line is too long.');
        if (await more()) continue;
        if (buffered.length) throw new CutOff('The last line is not complete.');
        return null;
      }
    },

    async *rows() {
      while (buffered.length < marker.length && (await more()));
      if (buffered.subarray(0, marker.length).equals(marker)) {
        buffered = buffered.subarray(marker.length);
        return;
      }
      for (;;) {
        const at = buffered.indexOf(markerAfterRow);
        if (at >= 0) {
          const last = buffered.subarray(0, at + 1);
          buffered = buffered.subarray(at + markerAfterRow.length);
          yield last;
          return;
        }
        // The marker may begin at the end of this chunk.
        const complete = buffered.length - markerAfterRow.length + 1;
        if (complete > 0) {
          const chunk = buffered.subarray(0, complete);
          buffered = buffered.subarray(complete);
          yield chunk;
        }
        if (!(await more())) throw new CutOff('The rows of a table are not complete.');
      }
    },
  };
}
