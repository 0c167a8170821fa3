import { expect, test } from 'vitest';
import { readCommandLine, Usage } from './command-line.ts';

const options = { out: { type: 'string' }, all: { type: 'boolean' } } as const;
const names = { command: 'mail list', hint: '; help shows every word' };

test('options are read, and words beside them only where the command takes words', () => {
  expect(readCommandLine(['--out', 'x', '--no-all'], options, names).values).toEqual({ out: 'x', all: false });
  expect(readCommandLine(['a', '--out=x'], options, { ...names, positionals: true })).toMatchObject({
    positionals: ['a'],
    values: { out: 'x' },
  });
});

test.each([
  [['--nope'], '"mail list" does not know --nope; help shows every word.'],
  [['--all=yes'], '--all stands alone, without a value after it.'],
  [['--out'], '--out needs a value after it; help shows every word.'],
  [['a b'], '"mail list" does not know what to do with "a b"; a text of several words stands in quotes.'],
])('%s is refused with a sentence', (args, sentence) => {
  expect(() => readCommandLine(args, options, names)).toThrow(new Usage(sentence));
});
