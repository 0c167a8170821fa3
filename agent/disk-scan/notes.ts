import { join } from 'node:path';
import { z } from 'zod';
import { privateFolder, readWhole, writeWhole } from '../state/files.ts';
import { found, scanReport } from '../state/stored-findings.ts';

const notes = z.object({
  /** Identifies the rules and definitions of the last scan; null before the first scan. */
  looked: z.string().nullable(),
  found: z.array(found),
  reports: z.array(scanReport),
  asked: z.array(z.string()),
});
export type Notes = z.infer<typeof notes>;

const none: Notes = { looked: null, found: [], reports: [], asked: [] };

/** The scan results that survive a restart, in one file. */
export async function openScanNotes(folder: string) {
  await privateFolder(folder);
  const file = join(folder, 'notes.json');
  let currentNotes = (await readWhole(file, notes)) ?? none;
  return {
    now: () => currentNotes,
    async change(changes: Partial<Notes>): Promise<void> {
      currentNotes = { ...currentNotes, ...changes };
      await writeWhole(file, JSON.stringify(currentNotes));
    },
  };
}
