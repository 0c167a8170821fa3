import { z } from 'zod';
import type { SealedFiles } from './sealed-files.ts';

/** Old ones are forgotten beyond this number; a program of then would count as new. */
const MAX_KNOWN = 5000;

const knownPrograms = z.array(z.string());

/** The ids of programs from the internet that ran on this computer before, the oldest first (P12.3). */
export const knownProgramsFile = (files: Pick<SealedFiles, 'read' | 'write'>, path: string) => ({
  load: async (): Promise<string[]> => (await files.read(path, knownPrograms)) ?? [],
  save: (ids: string[]) => files.write(path, ids.slice(-MAX_KNOWN)),
});
