import { commonProducts, forbiddenNames, sharedSigners, sharedTeams } from './check-lists.ts';
import { fold, foldMaker, foldName, foldOriginal } from './fold.ts';
import type { Definition } from './format.ts';
import { nameKey } from './index-marks.ts';
import { hasClient } from './outgoing.ts';

/** Finds marks that would match harmless programs, or can never match. */
export function checkMarks(definition: Definition): string[] {
  return [
    ...checkReach(definition),
    ...checkNames(definition),
    ...checkCompanies(definition),
    ...checkSpelling(definition),
    ...checkSibling(definition),
    ...checkOutgoing(definition),
  ];
}

function checkReach({ programs, domains, site_patterns, category }: Definition): string[] {
  const originalWithCompany = programs.original_names.length > 0 && programs.companies.length > 0;
  const strongMarks = [programs.signers, programs.team_ids, programs.bundle_ids, programs.sha256, programs.libraries].some(
    ({ length }) => length > 0,
  );
  if (category === 'ScamWebsite') {
    const facts = Object.entries(programs).flatMap(([field, values]) => (values.length > 0 ? [field] : []));
    return [
      ...(facts.length > 0 ? [`is a site and has ${facts.join(', ')}: what a program looks like belongs to a family of programs`] : []),
      ...(domains.length + site_patterns.length === 0 ? ['is a site and has neither a domain nor a pattern, so it can never match'] : []),
    ];
  }
  if (strongMarks || originalWithCompany || programs.names.length > 0 || domains.length > 0) return [];
  return ['has neither a strong mark nor a distinctive file name, so it can never match'];
}

function checkNames({ programs }: Definition): string[] {
  const problems: string[] = [];
  const generic = new Set(programs.generic_names.map(({ os, name }) => nameKey(os, name)));
  for (const { os, name } of programs.names) {
    if (generic.has(nameKey(os, name))) problems.push(`says that ${name} is both distinctive and generic: keep it in one of the two`);
    if (forbiddenNames.has(foldName(name)))
      problems.push(`takes ${name} for a distinctive name, but harmless programs use it: put it under generic_names`);
    else if (foldName(name).length < 4)
      problems.push(`takes ${name} for a distinctive name, but it is too short to be one: put it under generic_names`);
  }
  for (const { name } of [...programs.names, ...programs.generic_names]) {
    if (/[\\/*?]/.test(name)) problems.push(`has the name ${name}: a whole file name has no path and no wildcard`);
  }
  for (const name of programs.original_names) {
    if (forbiddenNames.has(foldOriginal(name)))
      problems.push(`takes ${name} for its original name, but harmless programs use it: leave it out`);
    if (/[\\/*?]/.test(name)) problems.push(`has the original name ${name}: a whole file name has no path and no wildcard`);
  }
  for (const { name } of programs.libraries) {
    if (!/^([\w. -]+\/)*[\w. -]{8,}$/.test(name) || /(^|\/)\.\.?\//.test(name))
      problems.push(`has the library ${name}: a file in the folder of the program or below it, with / and without a wildcard`);
  }
  for (const product of programs.products) {
    const foldedProduct = fold(product);
    if (commonProducts.has(foldedProduct) || forbiddenNames.has(foldedProduct)) {
      problems.push(`has the product ${product}, and harmless programs are called so too: leave it out`);
    }
  }
  return problems;
}

function checkCompanies({ programs, part_of_system }: Definition): string[] {
  const problems: string[] = [];
  for (const signer of programs.signers) {
    if (sharedSigners.has(foldMaker(signer)))
      problems.push(`has ${signer} as a signer, which signs harmless programs too: use broad_signers`);
  }
  for (const team of programs.team_ids) {
    if (sharedTeams.has(fold(team))) problems.push(`has the Apple team ${team}, which signs harmless programs too: use bundle_ids`);
  }
  const broad = new Set(programs.broad_signers.map(foldMaker));
  for (const signer of programs.signers) {
    if (broad.has(foldMaker(signer)))
      problems.push(`has ${signer} under signers and under broad_signers: if it signs anything harmless, only the second`);
  }
  for (const bundle of programs.bundle_ids) {
    if (!part_of_system && /^com\.apple\./i.test(bundle))
      problems.push(`has the bundle ${bundle}, which is Apple's own: is it part_of_system?`);
  }
  return problems;
}

function checkSpelling({ programs }: Definition): string[] {
  return [
    ...programs.team_ids
      .filter((team) => !/^[A-Z0-9]{10}$/.test(team))
      .map((team) => `has the Apple team ${team}: a team is ten capital letters and digits`),
    ...programs.bundle_ids
      .filter((bundle) => !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(bundle))
      .map((bundle) => `has the bundle ${bundle}: a whole one has letters, digits, dots and dashes, and no wildcard`),
  ];
}

/** Refuses sibling facts that would hide the definition's own programs, and common names that would hide any renamed program. */
function checkSibling({ programs, not }: Definition): string[] {
  const keys = (names: { os: string; name: string }[]) => names.map(({ os, name }) => nameKey(os, name));
  const ownNames = new Set([...keys(programs.names), ...keys(programs.generic_names)]);
  const commonValues = (ownValues: string[], siblingValues: string[] | undefined, foldValue: (text: string) => string) =>
    (siblingValues ?? []).filter((text) => ownValues.some((value) => foldValue(value) === foldValue(text)));
  return [
    ...(not.names ?? []).filter((siblingName) => ownNames.has(nameKey(siblingName.os, siblingName.name))).map(({ name }) => name),
    ...commonValues(programs.original_names, not.original_names, foldOriginal),
    ...commonValues(programs.products, not.products, fold),
    ...commonValues(programs.bundle_ids, not.bundle_ids, fold),
  ]
    .map((value) => `says that ${value} is its own and under not that it is a sibling's: keep one`)
    .concat(
      (not.names ?? [])
        .filter(({ name }) => forbiddenNames.has(foldName(name)))
        .map(({ name }) => `has ${name} under not, and whatever is renamed to it would be let through: leave it out`),
    );
}

/** A viewer or client must be recognised as such, and scammers must not use the product: its programs are prevented from starting by name. */
function checkOutgoing({ programs, outgoing, in_scams }: Definition): string[] {
  const names = new Set([...programs.names, ...programs.generic_names].map(({ os, name }) => nameKey(os, name)));
  const unknown = [
    ...outgoing.names.filter(({ os, name }) => !names.has(nameKey(os, name))).map(({ name }) => name),
    ...(['original_names', 'bundle_ids', 'sha256', 'products'] as const).flatMap((field) =>
      outgoing[field].filter((value) => !programs[field].includes(value)),
    ),
  ];
  return [
    ...unknown.map((value) => `says that ${value} only reaches other computers, and not that it is its own: add it to programs too`),
    ...(hasClient(outgoing) && in_scams ? ['is used in scams and has programs that are not stopped: leave out outgoing'] : []),
  ];
}
