import type { ProcessSeen } from '../../os/port.ts';

/** A program from the internet that was never run on this computer before (P12.3). */
export interface NewProgramFinding {
  kind: 'new_program';
  process: ProcessSeen;
  /** The program, or the package, script or installer that `process` runs. */
  file: string;
  id: string;
  /** Where the file came from; null when unknown. */
  host: string | null;
  /** Shown to users. */
  name: string;
}

/** Was a file with this `LaunchedFile.id` run on this computer before? */
export type WasRunBefore = (id: string) => boolean;

export interface LaunchSeen {
  process: ProcessSeen;
  /** A `LaunchedFile` of agent/os/origin.ts; null when the file could not be read. */
  origin: { file: string; id: string; origin: { from: 'internet'; host: string | null } | { from: 'local' | 'unknown' } } | null;
  /** The opposite of `WasRunBefore`, before this process is stored. */
  first_seen: boolean;
  /**
   * Is the file in the same folder as a program that ran before, and of the same publisher? The signature must be verified: a program may
   * claim any signer, and this claim lets it run.
   */
  signed_by_known: boolean;
}

/** One finding for each process, because each must be suspended. */
export function detectNewPrograms(seen: LaunchSeen[]): NewProgramFinding[] {
  return seen.flatMap(({ process, origin: launched, first_seen, signed_by_known }): NewProgramFinding[] => {
    if (launched?.origin.from !== 'internet' || !first_seen || signed_by_known) return [];
    const { file, id, origin } = launched;
    return [{ kind: 'new_program', process, file, id, host: origin.host, name: nameOf(process, file) }];
  });
}

/** The product's name belongs to the program alone, not to a file that an interpreter runs. */
function nameOf({ path, program }: ProcessSeen, file: string): string {
  const product = file === path && 'product' in program ? program.product?.trim() : '';
  return product || file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}

export interface KnownProgram {
  file: string;
  /** The publisher of a verified signature; null without one. */
  publisher: string | null;
}

/** Is this a new file of a known program: in the folder, and of the publisher, of a program that ran before? */
export function isUpdate(program: KnownProgram, ranBefore: KnownProgram[]): boolean {
  const { publisher } = program;
  return publisher !== null && ranBefore.some((known) => known.publisher === publisher && folderOf(known.file) === folderOf(program.file));
}

/** Windows ignores case in names, and its paths begin with a drive. */
function folderOf(file: string): string {
  const folder = file.slice(0, Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')));
  return /^[a-z]:/i.test(file) ? folder.toLowerCase().replaceAll('/', '\\') : folder;
}
