import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { actionFor } from '@porchlight/definitions/match.ts';
import type { Rules } from '../state/in-force.ts';

/**
 * File names of Windows programs that must not start: those of definitions that the policy blocks by name alone. Empty without a policy or
 * definitions.
 */
export function deniedNames(rules: Rules | null, set: DefinitionSet | null, now: Date): string[] {
  if (!rules || !set) return [];
  const denied = set.definitions.filter(({ identifier, name, category }) => {
    const match = { identifier, name, category, certainty: 'likely' as const, why: [] };
    return actionFor(match, rules, now) === 'block';
  });
  return denied.flatMap(({ programs }) => programs.names.flatMap(({ os, name }) => (os === 'windows' ? [name] : [])));
}
