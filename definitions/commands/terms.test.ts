import { expect, test, vi } from 'vitest';
import { shippedRules } from '../testing/shipped-catalogue.ts';
import { matchCommand } from './match-command.ts';
import { hasTerm, mayHave, readTerm, wordSet } from './terms.ts';

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
  ['echo…>….vbs', 'echo a > b.vbs & b', 'b.vbs > echo a'],
  ['echo…>….vbs', 'echo a \n echo b > c.vbs', 'echo a \n > b.vbs'],
  ['echo…>….vbs', 'echo a > b \n echo c > d.vbs', 'echo a > b \n echo c \n > d.vbs'],
  ['nc…-e sh', 'nc -v 1.2.3.4 -e sh', 'nc -v 1.2.3.4 -e shutter'],
])('the term %s is in "%s" and not in "%s"', (term, text, other) => {
  expect(isIn(term, text)).toBe(true);
  expect(isIn(term, other)).toBe(false);
  expect(
    mayHave(
      wordSet(text),
      readTerm(term, (written) => written),
    ),
  ).toBe(true);
});

test('a term that would be in every command is refused', () => {
  expect(() => readTerm('*', (written) => written)).toThrow(/every command/);
});

test('a term in steps reads a text once, however often its first step is there without the others', () => {
  const text = 'echo a > b \n '.repeat(5_000);
  const term = readTerm('echo…>….vbs…&', (written) => written);
  const search = vi.spyOn(String.prototype, 'indexOf');
  expect(hasTerm(`${text}`, term)).toBe(false);
  expect(hasTerm(`${text}echo a > c.vbs &`, term)).toBe(true);
  const searches = search.mock.calls.length;
  search.mockRestore();
  expect(searches).toBeLessThan(20);
});

const longest = (unit: string) => unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536);
test.each([
  ['words', 'abc '],
  ['brackets', '('],
  ['quotes in one another', `"$('`],
  ['starts of scripts', '& echo createobject > a.vbs '],
  ['starts of options', 'nc -e -c -w '],
  ['addresses of shared folders', 'copy \\\\a.b@80\\d & '],
  ['fetches', 'curl wget iwr a.example | '],
  ['lines', 'echo a > b\n'],
])('the longest command of %s is searched at most once for each of its characters', (_what, unit) => {
  const { commands } = shippedRules();
  for (const [os, name, parent] of [
    ['windows', 'cmd.exe', 'explorer.exe'],
    ['linux', 'bash', 'xterm'],
  ] as const) {
    const search = vi.spyOn(String.prototype, 'indexOf');
    matchCommand({ os, name, parents: [parent], command_line: longest(unit), pipeline: [] }, commands);
    const searches = search.mock.calls.length;
    search.mockRestore();
    expect(searches).toBeLessThan(65_536);
  }
});
