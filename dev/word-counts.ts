import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';
import { type Counts, countWords, type Finding, findWords } from './words.ts';

const allowedFile = join(root, 'dev', 'word-counts.json');

export function allWords(): Finding[] {
  const files = filesBelow('.', /\.tsx?$/).filter((file) => !/^dev\/words(\.test)?\.ts$/.test(file));
  return files.flatMap((file) => findWords(file, readFileSync(join(root, file), 'utf8')));
}

export const allowedWords = (): Counts => JSON.parse(readFileSync(allowedFile, 'utf8')) as Counts;

/** `npm run check -- --count-words`: stores the current counts as the allowed ones. Returns a sentence for each number that has risen. */
export function writeCounts(): string[] {
  const [oldCounts, newCounts] = [allowedWords(), countWords(allWords())];
  writeFileSync(allowedFile, `${JSON.stringify(newCounts, null, 2)}\n`);
  return Object.entries(newCounts).flatMap(([folder, counts]) =>
    Object.entries(counts)
      .filter(([name, count]) => count > (oldCounts[folder]?.[name] ?? 0))
      .map(([name, count]) => `${folder}: "${name}" rose from ${oldCounts[folder]?.[name] ?? 0} to ${count}. Say in the commit why.`),
  );
}
