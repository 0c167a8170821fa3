import { doorsFile } from './doors-file.ts';
import { knownProgramsFile } from './known-programs-file.ts';
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
