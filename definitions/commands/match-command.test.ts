import { expect, test } from 'vitest';
import { matchCommand } from './match-command.ts';
import { readBadCommands } from './testing/read-commands.ts';

const badCommands = readBadCommands('bad-commands.txt');

test.each(badCommands)('[P12.4] a pasted command is found: $seen.command_line', ({ seen, pattern, address }) => {
  expect(matchCommand(seen)).toEqual({ pattern, name: expect.any(String), address });
});
