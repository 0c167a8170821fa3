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

/** A person must be able to keep what may be of use to them; what the system brings along most of all, as it can never be removed. */
export function checkExceptions({ category, allowlistable, part_of_system }: Definition): string[] {
  if (part_of_system && category !== 'RemoteControl')
    return ['is part_of_system, and only a remote-control program is: a deceptive one does not come with a system'];
  if (category === 'RemoteControl' && !allowlistable)
    return ['is a remote-control program that nobody could allow, and families and firms use them: make it allowlistable'];
  return [];
}
