import { commandFile } from './command-file.ts';
import { fold } from './fold.ts';
import type { Match, Os, ProgramSeen } from './format.ts';
import { type CompiledSet, serviceKey } from './index-marks.ts';
import { matchProgram } from './match.ts';

/** The installation id in a service name: `ScreenConnect Client (1f3c9a2b77d01e55)`. */
const installationId = /\s\([0-9a-f]{6,}\)$/;

/** Matches a service by name or display name, else by its program. Any program can take a service name, so a name alone is only likely. */
export function matchService(
  os: Os,
  { name, display, path }: { name: string; display?: string; path?: string },
  set: CompiledSet,
): Match | null {
  const runs: ProgramSeen | null = path === undefined ? null : { os, ...commandFile(path) };
  const program = runs && matchProgram(runs, set);
  for (const serviceName of [name, display]) {
    const foldedName = fold(serviceName ?? '').replace(installationId, '');
    const definition = foldedName === '' ? undefined : set.services.get(serviceKey(os, foldedName));
    if (!definition) continue;
    const { identifier, category } = definition;
    const evidence = program?.identifier === identifier;
    const reasons = [`service=${foldedName}`, ...(evidence ? program.why : [])];
    return { identifier, name: definition.name, category, certainty: evidence ? 'certain' : 'likely', why: reasons };
  }
  return program;
}
