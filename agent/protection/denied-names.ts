import { type AppControlRule, appControlRules, appControlText } from '@porchlight/definitions/app-control.ts';
import type { Definition, DefinitionSet } from '@porchlight/definitions/format.ts';
import { actionFor, type CompiledSet } from '@porchlight/definitions/match.ts';
import type { DeniedContents } from '../os/port.ts';
import type { Rules } from '../state/in-force.ts';

/** Definitions whose programs must not start: the policy blocks them by name alone. Empty without a policy or definitions. */
export function deniedDefinitions(rules: Rules | null, set: DefinitionSet | null, now: Date): Definition[] {
  if (!rules || !set) return [];
  return set.definitions.filter(({ identifier, name, category }) => {
    const match = { identifier, name, category, certainty: 'likely' as const, why: [] };
    return actionFor(match, rules, now) === 'block';
  });
}

/**
 * File names on Windows of those that scammers are reported to use. Virus scanners distrust a program that has Windows refuse hundreds of
 * others by name, and a file name refuses nothing that was renamed; the others end as soon as they run.
 */
export function deniedNames(denied: Definition[]): string[] {
  const names = ({ programs }: Definition) => programs.names.flatMap(({ os, name }) => (os === 'windows' ? [name] : []));
  return denied.filter(({ in_scams }) => in_scams).flatMap(names);
}

/** What their files say, so that another name does not help. The rules are made when they are asked for, which takes milliseconds. */
export function deniedContents(denied: Definition[], set: CompiledSet | null): DeniedContents {
  let rules: AppControlRule[] | null = null;
  const rulesOnce = () => {
    rules ??= set ? appControlRules(set, denied) : [];
    return rules;
  };
  return { count: () => rulesOnce().length, text: (state) => appControlText(rulesOnce(), state) };
}
