import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';
import { type Counts, countWords, type Finding, findWords } from './words.ts';

const allowedFile = join(root, 'dev', 'word-counts.json');

/** Of all TypeScript of the repository but the list of words itself. */
export function allWords(): Finding[] {
  const files = filesBelow('.', /\.tsx?$/).filter((file) => !/^dev\/words(\.test)?\.ts$/.test(file));
  return files.flatMap((file) => findWords(file, readFileSync(join(root, file), 'utf8')));
}

export const allowedWords = (): Counts => JSON.parse(readFileSync(allowedFile, 'utf8')) as Counts;

/** `npm run check -- --count-words`: what there is now becomes what is allowed. Answers a sentence for each number that has risen. */
export function writeCounts(): string[] {
  const [before, now] = [allowedWords(), countWords(allWords())];
  writeFileSync(allowedFile, `${JSON.stringify(now, null, 2)}\n`);
  return Object.entries(now).flatMap(([folder, counts]) =>
    Object.entries(counts)
      .filter(([name, count]) => count > (before[folder]?.[name] ?? 0))
      .map(([name, count]) => `${folder}: "${name}" rose from ${before[folder]?.[name] ?? 0} to ${count}. Say in the commit why.`),
  );
}
