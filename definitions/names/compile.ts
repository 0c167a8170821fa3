import type { MoneyList } from '../money/format.ts';
import { neverBlockWith } from '../sites/never-block.ts';
import { registrableDomain } from '../sites/public-suffix.ts';
import type { NameTables } from './format.ts';
import { shortest_sound, sound_start, soundOf } from './sound-of.ts';

export interface Word {
  text: string;
  brand: string;
  proves: 'alone' | 'with_topic' | 'with_action';
  /** Ordinary words that contain it: `revolution` is no `revolut`. */
  partOf: readonly string[];
}

export interface CompiledNames
  extends Record<'actions' | 'topics' | 'fillers' | 'about' | 'endings' | 'tenants' | 'innocent', ReadonlySet<string>> {
  words: ReadonlyMap<string, Word>;
  /** Words by every spelling with one letter left out. */
  shortened: ReadonlyMap<string, readonly Word[]>;
  /** Words of `shortest_long` letters and more by their first `long_start`. */
  longWords: ReadonlyMap<string, readonly Word[]>;
  /** Words of `shortest_sound` letters and more by the first `sound_start` consonants of their sound. */
  sounds: ReadonlyMap<string, readonly { sound: string; word: Word }[]>;
  exercises: readonly string[];
  /** Sites of those who are imitated, and of others that people need. */
  theirs: ReadonlySet<string>;
  /** The brands by their sites. */
  imitated: ReadonlyMap<string, string>;
  /** The Latin letters that a letter resembles. */
  latin: ReadonlyMap<string, string>;
}

/** Shorter words are found only between hyphens and beside what a trick asks. */
export const shortest_inside = 7;
const shortest_long = 12;
export const long_start = 3;
export const shortest_misspelled = 6;

export const shortenings = (text: string) => Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));

function wordsOf({ brands, innocent }: NameTables, money: MoneyList): Map<string, Word> {
  const words = new Map<string, Word>();
  const add = (text: string, word: Pick<Word, 'brand' | 'proves'>) => {
    if (!words.has(text)) words.set(text, { text, ...word, partOf: innocent.filter((other) => other !== text && other.includes(text)) });
  };
  for (const { name: brand, words: alone, discussed, ordinary } of brands) {
    for (const text of alone) add(text, { brand, proves: 'alone' });
    for (const text of discussed) add(text, { brand, proves: 'with_topic' });
    for (const text of ordinary) add(text, { brand, proves: 'with_action' });
  }
  const passedOver = new Set(innocent);
  for (const brand of money.flatMap(({ domains }) => domains)) {
    const text = registrableDomain(brand)?.split('.')[0]?.replaceAll('-', '') ?? '';
    if (text.length >= shortest_inside && !passedOver.has(text)) add(text, { brand, proves: 'with_action' });
  }
  return words;
}

/** `money`: the sites of the same set. Their names are looked for too, and none of them is ever a trick. */
export function compileNames(tables: NameTables, money: MoneyList): CompiledNames {
  const words = wordsOf(tables, money);
  const shortened = new Map<string, Word[]>();
  for (const word of words.values()) {
    if (word.text.length < shortest_misspelled || word.proves === 'with_action') continue;
    for (const spelling of new Set([word.text, ...shortenings(word.text)])) {
      shortened.set(spelling, [...(shortened.get(spelling) ?? []), word]);
    }
  }
  const sets = (['actions', 'topics', 'fillers', 'about', 'endings', 'tenants', 'innocent'] as const).map(
    (name) => [name, new Set(tables[name])] as const,
  );
  return {
    ...(Object.fromEntries(sets) as Record<(typeof sets)[number][0], Set<string>>),
    ...{ words, shortened },
    longWords: Map.groupBy(
      [...words.values()].filter(({ text, proves }) => text.length >= shortest_long && proves !== 'with_action'),
      ({ text }) => text.slice(0, long_start),
    ),
    sounds: Map.groupBy(
      [...words.values()].flatMap((word) => {
        const sound = soundOf(word.text);
        return word.proves === 'alone' && word.text.length >= shortest_sound && sound.length >= sound_start ? { sound, word } : [];
      }),
      ({ sound }) => sound.slice(0, sound_start),
    ),
    exercises: tables.exercises,
    imitated: new Map([
      ...money.flatMap(({ domains }) => domains.map((domain) => [domain, domain] as const)),
      ...tables.brands.toReversed().flatMap(({ name, domains }) => domains.map((domain) => [domain, name] as const)),
    ]),
    theirs: new Set([...neverBlockWith(money), ...tables.brands.flatMap(({ domains }) => domains), ...tables.honest]),
    latin: new Map(
      Object.entries(tables.skeletons).flatMap(([latin, alike]) => Array.from(alike, (character) => [character, latin] as const)),
    ),
  };
}
