import { expect, test } from 'vitest';
import { hasTerm, readTerm } from './terms.ts';

const isIn = (term: string, text: string) =>
  hasTerm(
    text,
    readTerm(term, (written) => written),
  );

test.each([
  ['iex', 'x | iex', 'x | niex'],
  ['iex', 'iex (x', 'iexplore x'],
  ['iex', '.iex', 'get-iex'],
  ['-w h', 'powershell -w h x', 'powershell new-w h x'],
  ['downloadstring*', 'downloadstringasync', 'downloadfile'],
  ['&$*', 'x &$y', 'x & y'],
  ['| sh$', 'curl x | sh', 'curl x | sh -c y'],
  ['| sh$', 'curl x | sh ; exit', 'curl x | shuf'],
  ['-e~ncodedcommand', 'powershell -enc x', 'powershell -encx x'],
  ['-e~ncodedcommand', 'powershell -e x', 'powershell -ep bypass'],
  ['-w~indowstyle h~idden', 'p -win hid -c', 'p -win min -c'],
  ['-w~indowstyle h~idden', 'p -w min -windowstyle hidden', 'p -windowsize hidden'],
])('the term %s is in "%s" and not in "%s"', (term, text, other) => {
  expect(isIn(term, text)).toBe(true);
  expect(isIn(term, other)).toBe(false);
});

test('a term that would be in every command is refused', () => {
  expect(() => readTerm('*', (written) => written)).toThrow(/every command/);
});
