import { actionFor } from '@porchlight/definitions/match.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import type { Rules } from '../state/in-force.ts';

/**
 * File names on Windows of programs that must not start: the policy blocks them by name alone, and scammers are reported to use them. Virus
 * scanners distrust a program that has Windows refuse hundreds of others by name, and a file name refuses nothing that was renamed; the
 * others end as soon as they run. Empty without a policy or definitions.
 */
export function deniedNames(rules: Rules | null, set: Pick<DefinitionSet, 'definitions'> | null, now: Date): string[] {
  if (!rules || !set) return [];
  return set.definitions.flatMap(({ identifier, name, category, in_scams, programs }) => {
    const match = { identifier, name, category, why: [] };
    // Where only a certain match may run, its name is not refused.
    const isBlocked = (['likely', 'certain'] as const).every((certainty) => actionFor({ ...match, certainty }, rules, now) === 'block');
    if (!in_scams || !isBlocked) return [];
    return programs.names.flatMap(({ os, name: file }) => (os === 'windows' ? [file] : []));
  });
}
