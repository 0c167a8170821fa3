import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import { actionFor, type CompiledSet, matchProgram } from '@porchlight/definitions/match.ts';
import type { Rules } from '../state/in-force.ts';

/** Would this program be ended now? None is while nothing is in force; all are as long as nobody knows yet what is dangerous. */
export function stillBlocked(program: ProgramSeen, rules: Rules | null, set: CompiledSet | null, now: Date): boolean {
  if (!rules || !set) return rules !== null;
  const match = matchProgram(program, set);
  return match !== null && actionFor(match, rules, now) === 'block';
}
