import { z } from 'zod';
import { doorsFile } from './doors-file.ts';
import type { SealedFiles } from './sealed-files.ts';
import { waitingStartsFile } from './waiting-starts-file.ts';

/** What the agent stores about threats that are on no list (P12.3 to P12.5). */
export const unlistedFiles = (files: SealedFiles, file: (name: string) => string) => ({
  waitingStarts: waitingStartsFile(files, file('waiting-starts')),
  doors: doorsFile(files, file('doors')),
  /** Written by the operating system's part, which knows what can be stored with a file itself. */
  originsPath: file('origins'),
  knownPrograms: knownProgramsFile(files, file('known-programs')),
});

/** Old ones are forgotten beyond this number; an older program would count as new. */
const MAX_KNOWN = 5000;

const knownPrograms = z.array(z.string());

/** The ids of programs from the internet that ran on this computer before, the oldest first (P12.3). */
const knownProgramsFile = (files: Pick<SealedFiles, 'read' | 'write'>, path: string) => ({
  load: async (): Promise<string[]> => (await files.read(path, knownPrograms)) ?? [],
  save: (ids: string[]) => files.write(path, ids.slice(-MAX_KNOWN)),
});
