import { unwantedWords } from './check-lists.ts';
import { fold } from './fold.ts';
import type { Definition, FactField } from './format.ts';

export function checkWords({ help }: Definition): string[] {
  return [help.what_it_is, help.what_to_do].flatMap((text) => [
    ...unwantedWords.filter((word) => word.test(text)).map((word) => `uses ${word} in its help: say it in plain words`),
    ...[...text.matchAll(/\{([^{}]*)\}/g)]
      .filter(([, placeholder]) => placeholder !== 'name' && placeholder !== 'device')
      .map(([placeholder]) => `uses ${placeholder} in its help, and only {name} and {device} are filled in`),
  ]);
}

/** Definitions whose help texts differ only in the name have the same key: the text was copied. */
export function helpKey({ name, help }: Definition): string {
  return fold(help.what_it_is)
    .replaceAll('{name}', ' ')
    .replaceAll(fold(name), ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function checkSources({ programs, services, domains, site_patterns, in_scams, sources }: Definition): string[] {
  const facts: Record<FactField, unknown[]> = { ...programs, services, domains, site_patterns, in_scams: in_scams ? [in_scams] : [] };
  const presentFields = Object.entries(facts).flatMap(([field, values]) => (values.length > 0 ? [field] : []));
  const claimedFields = new Set(sources.flatMap(({ facts }) => facts));
  return [
    ...presentFields
      .filter((field) => !claimedFields.has(field))
      .map((field) => `has ${field} that no source vouches for: say under sources where they come from`),
    ...sources.flatMap(({ name, facts }) =>
      facts
        .filter((field) => !presentFields.includes(field))
        .map((field) => `says that ${name} vouches for ${field}, and there are none: take the word out of its facts`),
    ),
  ];
}

/** Parts of the system are never removed, so users must be able to allow them. */
export function checkExceptions({ category, allowlistable, part_of_system, in_scams }: Definition): string[] {
  if (!part_of_system) return [];
  return [
    ...(in_scams ? ['is part_of_system, which people start themselves, so Windows must not refuse it by name: leave out in_scams'] : []),
    ...(category === 'RemoteControl' ? [] : ['is part_of_system, and what deceives does not come with a system']),
    ...(allowlistable ? [] : ['is part_of_system and cannot be allowed, though it stays on the computer: make it allowlistable']),
  ];
}
