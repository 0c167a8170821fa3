import { join } from 'node:path';
import { z } from 'zod';
import { privateFolder, readWhole, writeWhole } from '../state/files.ts';
import { found, scanReport } from '../state/stored-findings.ts';

const notes = z.object({
  /** The rules and definitions of the last scan; null before the first. */
  looked: z.string().nullable(),
  /** Newest first. */
  found: z.array(found),
  /** Reports that the server has not acknowledged. */
  reports: z.array(scanReport),
  /** Keys of restored entries. */
  asked: z.array(z.string()),
});
export type Notes = z.infer<typeof notes>;

const none: Notes = { looked: null, found: [], reports: [], asked: [] };

/** What survives of scans, as one file. */
export async function openScanNotes(folder: string) {
  await privateFolder(folder);
  const file = join(folder, 'notes.json');
  let now = (await readWhole(file, notes)) ?? none;
  return {
    now: () => now,
    /** On disk when this resolves. */
    async change(news: Partial<Notes>): Promise<void> {
      now = { ...now, ...news };
      await writeWhole(file, JSON.stringify(now));
    },
  };
}
