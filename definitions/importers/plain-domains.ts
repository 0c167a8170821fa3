import { type LineReader, readName } from './list-line.ts';

export const readPlainLine: LineReader = (text) => {
  const entryText = text.replace(/(?:^|\s)(?:#|\/\/|;|!).*/, '').trim();
  if (entryText === '') return [];
  if (/\s|,/.test(entryText)) return [{ why: 'has more than one name' }];
  const hostText = entryText.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  const read = readName(hostText);
  return hostText === entryText || 'why' in read || read.changed ? [read] : [{ ...read, changed: 'written in its one spelling' }];
};
