/** The language of screens, emails, texts and calls, for `Intl`. */
export const language = 'en-US';

// The formats are made where they are used, so that a page's first load leaves out those that it does not use.
const listed = (names: Iterable<string>, type: 'conjunction' | 'disjunction') => new Intl.ListFormat(language, { type }).format(names);

/** `Bob, Carol, and Dan` */
export const listOf = (names: Iterable<string>): string => listed(names, 'conjunction');

/** `Bob, Carol, or Dan` */
export const anyOf = (names: Iterable<string>): string => listed(names, 'disjunction');

/** `1 device`, `2 devices`, `1,200 devices` */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString(language)} ${n === 1 ? one : many}`;
