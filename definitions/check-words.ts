import { unwantedWords } from './check-lists.ts';
import { fold } from './fold.ts';
import type { Definition, FactField } from './format.ts';

/** The texts that a person reads, and the facts that nobody vouches for. */
export function checkWords({ help }: Definition): string[] {
  return [help.what_it_is, help.what_to_do].flatMap((text) => [
    ...unwantedWords.filter((word) => word.test(text)).map((word) => `uses ${word} in its help: say it in plain words`),
    ...[...text.matchAll(/\{([^}]*)\}/g)]
      .filter(([, part]) => part !== 'name' && part !== 'device')
      .map(([part]) => `uses ${part} in its help, and only {name} and {device} are filled in`),
  ]);
}

/** What a family is, without its own name: a text that stands in two files with another name in it was not written for either. */
export function helpKey({ name, help }: Definition): string {
  return fold(help.what_it_is)
    .replaceAll('{name}', ' ')
    .replaceAll(fold(name), ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Each kind of fact has a source, and no source claims a kind that is not there. */
export function checkSources({ programs, services, domains, site_patterns, sources }: Definition): string[] {
  const there = Object.entries({ ...programs, services, domains, site_patterns }).flatMap(([field, values]) =>
    values.length > 0 ? [field as FactField] : [],
  );
  const claimed = new Set(sources.flatMap(({ facts }) => facts));
  return [
    ...there
      .filter((field) => !claimed.has(field))
      .map((field) => `has ${field} that no source vouches for: say under sources where they come from`),
    ...sources.flatMap(({ name, facts }) =>
      facts
        .filter((field) => !there.includes(field))
        .map((field) => `says that ${name} vouches for ${field}, and there are none: take the word out of its facts`),
    ),
  ];
}

/** What comes with the system can never be removed, so a person must be able to allow it; and nothing else of that kind comes with one. */
export function checkExceptions({ category, allowlistable, part_of_system }: Definition): string[] {
  if (!part_of_system) return [];
  return [
    ...(category === 'RemoteControl' ? [] : ['is part_of_system, and what deceives does not come with a system']),
    ...(allowlistable ? [] : ['is part_of_system and cannot be allowed, though it stays on the computer: make it allowlistable']),
  ];
}
