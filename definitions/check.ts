import { checkMarks } from './check-marks.ts';
import { checkPlaces } from './check-places.ts';
import { checkExceptions, checkSources, checkWords, helpKey } from './check-words.ts';
import { fold, foldHost, foldMaker } from './fold.ts';
import { foldPath } from './fold-path.ts';
import type { Definition } from './format.ts';
import { nameKey, pathKey } from './index-marks.ts';

/** Values that more than one family claims, with the families. */
function claimedTwice(definitions: Definition[], keysOf: (definition: Definition) => string[]): [string, string][] {
  const owners = new Map<string, string[]>();
  for (const definition of definitions) {
    for (const key of new Set(keysOf(definition))) owners.set(key, [...(owners.get(key) ?? []), definition.identifier]);
  }
  return [...owners].filter(([, who]) => who.length > 1).map(([key, who]) => [key, who.join(' and ')]);
}

function usedTwice(definitions: Definition[]): string[] {
  const times = Map.groupBy(definitions, ({ identifier }) => identifier);
  return [...times]
    .filter(([, same]) => same.length > 1)
    .map(([identifier, same]) => `The identifier ${identifier} is used ${same.length} times: one file, one family.`);
}

function checkBetween(definitions: Definition[]): string[] {
  const twice = (keysOf: (definition: Definition) => string[], say: (value: string, who: string) => string) =>
    claimedTwice(definitions, keysOf).map(([value, who]) => say(value, who));
  return [
    ...twice(
      ({ programs }) => programs.names.map(({ os, name }) => nameKey(os, name)),
      (name, who) => `The distinctive name ${name} belongs to ${who}: one name, one family.`,
    ),
    ...twice(
      ({ domains }) => domains.map(foldHost),
      (domain, who) => `The domain ${domain} belongs to ${who}: one domain, one family.`,
    ),
    ...twice(
      ({ programs }) => [
        ...programs.signers.map(foldMaker),
        ...[...programs.team_ids, ...programs.bundle_ids, ...programs.sha256].map(fold),
      ],
      (mark, who) => `The strong mark ${mark} belongs to ${who}: one strong mark, one family.`,
    ),
    ...twice(
      ({ programs }) => programs.paths.map(({ os, path }) => pathKey(os, foldPath(path))),
      (path, who) => `The folder ${path} belongs to ${who}: one folder, one family.`,
    ),
    ...twice(
      ({ services }) => services.map(({ os, name }) => nameKey(os, name)),
      (service, who) => `The service ${service} belongs to ${who}: one service, one family.`,
    ),
    ...twice(
      (definition) => [helpKey(definition)],
      (_, who) => `What ${who} are is said in the same words: say of each what it is.`,
    ),
  ];
}

/** What is wrong with a catalogue as a whole, one plain sentence each; empty when it may be signed and sent out. */
export function checkCatalogue(definitions: Definition[]): string[] {
  const checks = [checkMarks, checkPlaces, checkWords, checkSources, checkExceptions];
  return [
    ...usedTwice(definitions),
    ...checkBetween(definitions),
    ...definitions.flatMap((definition) =>
      checks.flatMap((check) => check(definition)).map((problem) => `${definition.identifier} ${problem}.`),
    ),
  ];
}
