import { type LineReader, readName } from './list-line.ts';

/** A line of a plain list: one name, perhaps as the address of its first page, perhaps with a comment behind it. */
export const readPlainLine: LineReader = (text) => {
  const typed = text.replace(/(?:^|\s)(?:#|\/\/|;|!).*$/, '').trim();
  if (typed === '') return [];
  if (/\s|,/.test(typed)) return [{ why: 'has more than one name' }];
  const bare = typed.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const read = readName(bare);
  return bare === typed || 'why' in read || read.changed ? [read] : [{ ...read, changed: 'written in its one spelling' }];
};
