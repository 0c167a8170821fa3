import { type LineReader, readName } from './list-line.ts';

const unroutableAddress = /^(?:0|0\.0\.0\.0|127(?:\.\d{1,3}){3}|255\.255\.255\.255|::1?|(?:0+:){7}0*[01]|fe80::1(?:%\w+)?)$/i;

const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|0|[0-9a-f]*:[0-9a-f:.]*(?:%\w+)?)$/i;

export const looksLikeHosts = (text: string): boolean => address.test(text.trim().split(/\s/, 1)[0] ?? '') && /\S\s+\S/.test(text);

export const readHostsLine: LineReader = (text) => {
  const [firstWord = '', ...names] = text.replace(/#.*/, '').trim().split(/\s+/);
  if (firstWord === '') return [];
  if (!address.test(firstWord)) return [{ why: 'does not begin with an address, as lines of a hosts file do' }];
  if (names.length === 0) return [{ why: 'has an address and no name' }];
  if (!unroutableAddress.test(firstWord)) return [{ why: 'sends the name to another computer, instead of nowhere' }];
  return names.map(readName);
};
