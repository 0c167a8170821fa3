import { forbiddenNames, sharedHosts, sharedSigners, sharedTeams, unwantedWords } from './check-lists.ts';
import { fold, foldHost, foldName } from './fold.ts';
import type { Definition } from './format.ts';
import { nameKey } from './index-marks.ts';

const host = /^([a-z0-9_]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** Values that more than one family claims, with the families. */
function claimedTwice(definitions: Definition[], keysOf: (definition: Definition) => string[]): [string, string[]][] {
  const owners = new Map<string, string[]>();
  for (const definition of definitions) {
    for (const key of new Set(keysOf(definition))) owners.set(key, [...(owners.get(key) ?? []), definition.identifier]);
  }
  return [...owners].filter(([, who]) => who.length > 1);
}

function checkMarks({ programs, domains }: Definition): string[] {
  const problems: string[] = [];
  const generic = new Set(programs.generic_names.map(({ os, name }) => nameKey(os, name)));
  const originalWithCompany = programs.original_names.length > 0 && programs.companies.length > 0;
  const strong = programs.signers.length + programs.team_ids.length + programs.bundle_ids.length + programs.sha256.length > 0;
  if (!strong && !originalWithCompany && programs.names.length === 0 && domains.length === 0) {
    problems.push('has neither a strong mark nor a distinctive file name, so it can never match');
  }
  for (const { os, name } of programs.names) {
    if (generic.has(nameKey(os, name))) problems.push(`says that ${name} is both distinctive and generic`);
    if (forbiddenNames.has(foldName(name))) problems.push(`takes ${name} for a distinctive name, but harmless programs use it`);
    if (foldName(name).length < 4) problems.push(`takes ${name} for a distinctive name, but it is too short to be one`);
  }
  for (const { name } of [...programs.names, ...programs.generic_names]) {
    if (/[\\/*?]/.test(name)) problems.push(`has the name ${name}: a whole file name has no path and no wildcard`);
  }
  for (const name of programs.original_names) {
    if (forbiddenNames.has(foldName(name))) problems.push(`takes ${name} for its original name, but harmless programs use it`);
  }
  for (const signer of programs.signers) {
    if (sharedSigners.has(fold(signer))) problems.push(`has ${signer} as a signer, which signs harmless programs too: use broad_signers`);
  }
  for (const team of programs.team_ids) {
    if (sharedTeams.has(fold(team))) problems.push(`has the Apple team ${team}, which signs harmless programs too`);
  }
  return problems;
}

function checkDomains({ domains }: Definition): string[] {
  return domains.flatMap((domain) => {
    if (!host.test(domain)) return [`has the domain ${domain}, which is not a plain lower-case host`];
    return sharedHosts.has(foldHost(domain)) ? [`has the domain ${domain}, which others use too`] : [];
  });
}

function checkWords({ help }: Definition): string[] {
  return [help.what_it_is, help.what_to_do].flatMap((text) => [
    ...unwantedWords.filter((word) => word.test(text)).map((word) => `uses ${word} in its help: say it in plain words`),
    ...[...text.matchAll(/\{([^}]*)\}/g)]
      .filter(([, part]) => part !== 'name' && part !== 'device')
      .map(([part]) => `uses ${part} in its help, and only {name} and {device} are filled in`),
  ]);
}

/** What is wrong with a catalogue as a whole, one plain sentence each; empty when it may be signed and sent out. */
export function checkCatalogue(definitions: Definition[]): string[] {
  const and = (who: string[]) => who.join(' and ');
  return [
    ...[
      ...definitions.reduce((count, { identifier }) => count.set(identifier, (count.get(identifier) ?? 0) + 1), new Map<string, number>()),
    ]
      .filter(([, times]) => times > 1)
      .map(([identifier, times]) => `The identifier ${identifier} is used ${times} times.`),
    ...claimedTwice(definitions, ({ programs }) => programs.names.map(({ os, name }) => nameKey(os, name))).map(
      ([name, who]) => `The distinctive name ${name} belongs to ${and(who)}: one name, one family.`,
    ),
    ...claimedTwice(definitions, ({ domains }) => domains.map(foldHost)).map(
      ([domain, who]) => `The domain ${domain} belongs to ${and(who)}: one domain, one family.`,
    ),
    ...claimedTwice(definitions, ({ programs }) =>
      [...programs.signers, ...programs.team_ids, ...programs.bundle_ids, ...programs.sha256].map(fold),
    ).map(([mark, who]) => `The strong mark ${mark} belongs to ${and(who)}: one strong mark, one family.`),
    ...definitions.flatMap((definition) =>
      [...checkMarks(definition), ...checkDomains(definition), ...checkWords(definition)].map(
        (problem) => `${definition.identifier} ${problem}.`,
      ),
    ),
  ];
}
