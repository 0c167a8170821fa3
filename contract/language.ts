/** The language of screens, emails, texts and calls, for `Intl`. */
export const language = 'en-US';

const conjunction = new Intl.ListFormat(language, { type: 'conjunction' });
const disjunction = new Intl.ListFormat(language, { type: 'disjunction' });

/** `Bob, Carol, and Dan` */
export const listOf = (names: Iterable<string>): string => conjunction.format(names);

/** `Bob, Carol, or Dan` */
export const anyOf = (names: Iterable<string>): string => disjunction.format(names);

/** `1 device`, `2 devices`, `1,200 devices` */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString(language)} ${n === 1 ? one : many}`;
