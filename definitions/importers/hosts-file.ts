import { type LineReader, readName } from './list-line.ts';

/** Addresses that lead nowhere, or to the computer itself: `0.0.0.0`, `127.0.0.1`, `::`, `::1`. */
const nowhere = /^(?:0|0\.0\.0\.0|127(?:\.\d{1,3}){3}|255\.255\.255\.255|::1?|(?:0+:){7}0*[01]|fe80::1(?:%\w+)?)$/i;

const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|0|[0-9a-f]*:[0-9a-f:.]*(?:%\w+)?)$/i;

/** Does a line begin as those of a hosts file do? */
export const looksLikeHosts = (text: string): boolean => address.test(text.trim().split(/\s/, 1)[0] ?? '') && /\S\s+\S/.test(text);

/** A line of a hosts file: an address, then names, then perhaps a comment. */
export const readHostsLine: LineReader = (text) => {
  const [first = '', ...names] = text.replace(/#.*$/, '').trim().split(/\s+/);
  if (first === '') return [];
  if (!address.test(first)) return [{ why: 'does not begin with an address, as lines of a hosts file do' }];
  if (names.length === 0) return [{ why: 'has an address and no name' }];
  if (!nowhere.test(first)) return [{ why: 'sends the name to another computer, instead of nowhere' }];
  return names.map(readName);
};
