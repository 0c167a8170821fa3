import { checkMarks } from './check-marks.ts';
import { checkPlaces } from './check-places.ts';
import { checkExceptions, checkSources, checkWords, helpKey } from './check-words.ts';
import { fold, foldHost, foldMaker } from './fold.ts';
import { foldPath } from './fold-path.ts';
import type { Definition } from './format.ts';
import { nameKey, pathKey } from './index-marks.ts';

function sharedClaims(definitions: Definition[], keysOf: (definition: Definition) => string[]): [string, string][] {
  const owners = new Map<string, string[]>();
  for (const definition of definitions) {
    for (const key of new Set(keysOf(definition))) owners.set(key, [...(owners.get(key) ?? []), definition.identifier]);
  }
  return [...owners].filter(([, identifiers]) => identifiers.length > 1).map(([key, identifiers]) => [key, identifiers.join(' and ')]);
}

function duplicateIdentifiers(definitions: Definition[]): string[] {
  const byIdentifier = Map.groupBy(definitions, ({ identifier }) => identifier);
  return [...byIdentifier]
    .filter(([, sameIdentifier]) => sameIdentifier.length > 1)
    .map(([identifier, sameIdentifier]) => `The identifier ${identifier} is used ${sameIdentifier.length} times: one file, one family.`);
}

function checkBetween(definitions: Definition[]): string[] {
  const claimProblems = (keysOf: (definition: Definition) => string[], describe: (value: string, owners: string) => string) =>
    sharedClaims(definitions, keysOf).map(([value, owners]) => describe(value, owners));
  return [
    ...claimProblems(
      ({ programs }) => programs.names.map(({ os, name }) => nameKey(os, name)),
      (name, owners) => `The distinctive name ${name} belongs to ${owners}: one name, one family.`,
    ),
    ...claimProblems(
      ({ domains }) => domains.map(foldHost),
      (domain, owners) => `The domain ${domain} belongs to ${owners}: one domain, one family.`,
    ),
    ...claimProblems(
      ({ programs }) => [
        ...programs.signers.map(foldMaker),
        ...[...programs.team_ids, ...programs.bundle_ids, ...programs.sha256].map(fold),
        ...programs.libraries.map(({ os, name }) => nameKey(os, name)),
      ],
      (mark, owners) => `The strong mark ${mark} belongs to ${owners}: one strong mark, one family.`,
    ),
    ...claimProblems(
      ({ programs }) => programs.paths.map(({ os, path }) => pathKey(os, foldPath(path))),
      (path, owners) => `The folder ${path} belongs to ${owners}: one folder, one family.`,
    ),
    ...claimProblems(
      ({ services }) => services.map(({ os, name }) => nameKey(os, name)),
      (service, owners) => `The service ${service} belongs to ${owners}: one service, one family.`,
    ),
    ...claimProblems(
      (definition) => [helpKey(definition)],
      (_, owners) => `What ${owners} are is said in the same words: say of each what it is.`,
    ),
  ];
}

export function checkCatalogue(definitions: Definition[]): string[] {
  const checks = [checkMarks, checkPlaces, checkWords, checkSources, checkExceptions];
  return [
    ...duplicateIdentifiers(definitions),
    ...checkBetween(definitions),
    ...definitions.flatMap((definition) =>
      checks.flatMap((check) => check(definition)).map((problem) => `${definition.identifier} ${problem}.`),
    ),
  ];
}
