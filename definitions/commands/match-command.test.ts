import { expect, test } from 'vitest';
import { matchCommand } from './match-command.ts';
import { readBadCommands, readOrdinaryCommands } from './testing/read-commands.ts';

const badCommands = readBadCommands('bad-commands.txt');
const ordinaryFiles = ['ordinary-windows.txt', 'ordinary-windows-terminals.txt', 'ordinary-macos.txt', 'ordinary-linux.txt'];
const ordinaryCommands = ordinaryFiles.flatMap(readOrdinaryCommands);

test.each(badCommands)('a pasted command is found: $seen.command_line', ({ seen, pattern, address }) => {
  expect(matchCommand(seen)).toEqual({ pattern, name: expect.any(String), address });
});

test('there are at least 2,000 different ordinary commands, of which at most a third differ by a version or a number only', () => {
  const different = new Set(ordinaryCommands.map(({ seen }) => JSON.stringify(seen)));
  expect(different.size).toBe(ordinaryCommands.length);
  expect(different.size).toBeGreaterThanOrEqual(2_000);
  expect(ordinaryCommands.filter(({ from_template }) => from_template).length).toBeLessThanOrEqual(different.size / 3);
});

test.each(ordinaryFiles)('no ordinary command of %s is found', (file) => {
  const found = readOrdinaryCommands(file).map(({ seen }) => ({ ...seen, match: matchCommand(seen) }));
  expect(
    found.filter(({ match }) => match).map(({ match, parents, command_line }) => `${match?.pattern}: ${parents[0]} > ${command_line}`),
  ).toEqual([]);
});
