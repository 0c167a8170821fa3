/** Longer texts are cut: the place in the source says more. */
const max_length = 500;
/** The patterns read no more than this, because some take time that grows with the square of the length. */
const max_read = 2_000;

/** In this order: what is quoted may contain all the others. */
const replacements: [pattern: RegExp, by: string | ((text: string) => string)][] = [
  // From the first quotation mark to the last one, because a quoted value may contain the mark itself.
  [/"[\s\S]*"|"[\s\S]*$/g, '"…"'],
  [/[«»“„”][\s\S]*[«»“„”]/g, '"…"'],
  // An apostrophe is inside a word or at its end.
  [/(?<![\p{L}\d])'[\s\S]*?'(?![\p{L}\d])/gu, "'…'"],
  [/`[\s\S]*?`/g, '`…`'],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s<>]+/gi, (url) => shortUrl(url)],
  [/(?<![^\s<>(),:;=/])[^\s<>(),:;=/]+@[^\s<>(),:;=/]+/g, '[address]'],
  [/[A-Za-z0-9+/_=-]{20,}/g, (text) => (isWords(text) ? text : '[secret]')],
  [/\+?\d[\d\s().-]{5,}\d/g, (text) => (isPhoneNumber(text) ? '[number]' : text)],
];

/**
 * Replaces what may be about a person: addresses, phone numbers, quoted values, tokens, and the user and the query of a URL. A name without
 * quotation marks cannot be recognised, so only texts whose words are known may be logged at all.
 */
export function scrub(text: string): string {
  // Half a word at the end could be a part of something that only the whole reveals.
  let scrubbed = text.length > max_read ? text.slice(0, max_read).replace(/\S{0,200}$/, '') : text;
  for (const [pattern, by] of replacements) scrubbed = scrubbed.replace(pattern, by as string);
  return scrubbed.length > max_length ? `${scrubbed.slice(0, max_length)}…` : scrubbed;
}

function shortUrl(text: string): string {
  if (!URL.canParse(text)) return '[url]';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}

const date = /^\d{4}-\d\d-\d\d/;
const ip = /^\d{1,3}(\.\d{1,3}){3}$/;

const isPhoneNumber = (text: string) => text.replace(/\D/g, '').length >= 7 && !date.test(text) && !ip.test(text);

/** Paths and names of settings, classes and functions, which have no digits. */
const isWords = (text: string) => /^[/_-]?[a-z]+(?:[/_-][a-z]+)*[/_-]?$|^[A-Z]+(?:_[A-Z]+)*$|^[A-Z]?[a-z]+(?:[A-Z][a-z]+){0,5}$/.test(text);
