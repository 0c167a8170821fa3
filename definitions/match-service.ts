import { commandFile } from './command-file.ts';
import { fold } from './fold.ts';
import type { Match, Os, ProgramSeen } from './format.ts';
import { type CompiledSet, serviceKey } from './index-marks.ts';
import { matchProgram } from './match.ts';

/** A service whose name carries the number of one installation: `ScreenConnect Client (1f3c9a2b77d01e55)`. */
const numbered = /\s\([0-9a-f]{6,}\)$/;

/**
 * Which family a service belongs to, or null: by its own name or what it calls itself, which no other product has, else by the program
 * that it runs. A service name can be taken by anyone, so alone it is only likely; with the program it is as sure as the program.
 */
export function matchService(
  os: Os,
  { name, display, path }: { name: string; display?: string; path?: string },
  set: CompiledSet,
): Match | null {
  const runs: ProgramSeen | null = path === undefined ? null : { os, ...commandFile(path) };
  const program = runs && matchProgram(runs, set);
  for (const said of [name, display]) {
    const folded = fold(said ?? '').replace(numbered, '');
    const definition = folded === '' ? undefined : set.services.get(serviceKey(os, folded));
    if (!definition) continue;
    const { identifier, category } = definition;
    const agrees = program?.identifier === identifier;
    const why = [`service=${folded}`, ...(agrees ? program.why : [])];
    return { identifier, name: definition.name, category, certainty: agrees ? 'certain' : 'likely', why };
  }
  return program;
}
