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

export interface LaunchSeen {
  process: ProcessSeen;
  /** A `LaunchedFile` of agent/os/origin.ts; null when the file could not be read. */
  origin: { file: string; id: string; origin: { from: 'internet'; host: string | null } | { from: 'local' | 'unknown' } } | null;
  /** No file with this `id` was run on this computer before. A signer says nothing, because no signature is verified here. */
  first_seen: boolean;
}

/** One finding for each process, because each must be suspended. */
export function detectNewPrograms(seen: LaunchSeen[]): NewProgramFinding[] {
  return seen.flatMap(({ process, origin: launched, first_seen }): NewProgramFinding[] => {
    if (launched?.origin.from !== 'internet' || !first_seen) return [];
    const { file, id, origin } = launched;
    return [{ kind: 'new_program', process, file, id, host: origin.host, name: nameOf(process, file) }];
  });
}

/** The product's name belongs to the program alone, not to a file that an interpreter runs. */
function nameOf({ path, program }: ProcessSeen, file: string): string {
  const product = file === path && 'product' in program ? program.product?.trim() : '';
  return product || file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
}
