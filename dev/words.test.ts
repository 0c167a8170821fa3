import { expect, test } from 'vitest';
import { changedFiles } from './changed-files.ts';
import { root } from './root.ts';
import { allowedWords, allWords } from './word-counts.ts';
import { compareWords, countWords, findWords } from './words.ts';

const found = (source: string, file = 'server/a/b.ts') => findWords(file, source).map(({ line, pattern }) => `${line} ${pattern}`);

test('words of the glossary that say too little become fewer, never more', () => {
  const { more, fewer } = compareWords(allWords(), allowedWords(), changedFiles(root) ?? []);
  if (fewer.length) console.log(`Fewer than allowed. Lower the numbers with npm run check -- --count-words:\n${fewer.join('\n')}`);
  expect(more.join('\n')).toBe('');
});

test('a word is found in names, comments, titles of tests and names of files, and not in what people read on screens', () => {
  expect(found('const toldOf = 1;\n// It is told.\nuse(toldOf);')).toEqual(['2 tell', '1 tell']);
  expect(found("test.each([1])('is told anew', () => {});")).toEqual(['1 tell', '1 anew']);
  expect(found('test.skipIf(x)(`${what} is kept`, () => {});')).toEqual(['1 kept']);
  expect(found('', 'agent/look-around.ts')).toEqual(['1 look']);
  expect(found("say('You were told.');\nconst screen = <p>What was told</p>;", 'dashboard/a-messages.tsx')).toEqual([]);
});

test('a sentence that people read is found in code, and not in a file of sentences, in a log, or in a folder that only operators read', () => {
  const source = "const shown = isOn ? 'Den PC is on.' : `${name} is off`;\nconst icon = 'plain small';\nlog.info('The server is on.');";
  const sentence = '1 a sentence in the code';
  expect(found(source, 'dashboard/ui/tag.tsx')).toEqual([sentence]);
  expect(found('const page = <p>It is on.</p>;', 'dashboard/ui/tag.tsx')).toEqual([sentence]);
  expect(found("const messages = { on: 'It is on.' };", 'dashboard/ui/tag.tsx')).toEqual([]);
  for (const file of ['dashboard/ui/tag-messages.ts', 'server/notifications/render/alert.ts', 'server/cli/holds.ts'])
    expect(found(source, file)).toEqual([]);
});

test('a line is counted where the word is, also inside a long comment', () => {
  expect(found('/**\n * One.\n * Whoever it is.\n */\nexport const a = 1;')).toEqual(['3 whoever']);
});

test('look-alikes, lookups and standing for something are the right words', () => {
  expect(found('// It looks like a look-alike; look up what X stands for.\nconst foldLookAlikes = 1, lookup = 2;')).toEqual([]);
});

test('more than allowed names file and line and what to say, first in files that have changed; fewer is a sentence too', () => {
  const findings = ['agent/a.ts', 'agent/b.ts'].flatMap((file) => findWords(file, '// anew'));
  expect(countWords(findings)).toEqual({ agent: { anew: 2 } });
  expect(compareWords(findings, { agent: { anew: 1 } }, ['agent/b.ts']).more).toEqual([
    'agent: "anew" 2 times, and 1 are allowed. Say: again, restart, re-evaluate.\n    agent/b.ts:1: anew',
  ]);
  expect(compareWords(findings, { agent: { anew: 2, told: 0 } })).toEqual({ more: [], fewer: [] });
  expect(compareWords([], { agent: { anew: 2 } }).fewer).toEqual(['agent: "anew" 0 times, and 2 are allowed']);
});
