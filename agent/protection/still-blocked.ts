import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import { actionFor, type CompiledSet, matchProgram } from '@porchlight/definitions/match.ts';
import type { Rules } from '../state/in-force.ts';

/**
 * Whether this program would be ended now. Without definitions every program might be dangerous; without a policy no program is blocked.
 */
export function stillBlocked(program: ProgramSeen, rules: Rules | null, set: CompiledSet | null, now: Date): boolean {
  if (!rules || !set) return rules !== null;
  const match = matchProgram(program, set);
  return match !== null && actionFor(match, rules, now) === 'block';
}
