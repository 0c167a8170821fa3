import { expect, test } from 'vitest';
import { chooseCommand, readCommandLine, Usage } from './command-line.ts';

const options = { out: { type: 'string' }, all: { type: 'boolean' } } as const;
const names = { command: 'mail list', hint: '; help shows every word' };

test('the argument parser accepts options, and positional words only where the command accepts them', () => {
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
])('the argument parser refuses %s with a sentence', (args, sentence) => {
  expect(() => readCommandLine(args, options, names)).toThrow(new Usage(sentence));
});

const table = {
  program: 'npm run x --',
  commands: [
    { name: 'mail list', usage: '[--all]', help: 'What waits.' },
    { name: 'mail retry', usage: 'ID', help: 'Sends it again.' },
    { name: 'check', usage: '', help: 'Checks.' },
  ],
  elsewhere: [{ name: 'reports', usage: '', help: 'What people reported.' }],
};

test('commands of one word and of two words are found, and the other words are their arguments', () => {
  expect(chooseCommand(['mail', 'retry', 'a', '--b'], table)).toEqual({ command: table.commands[1], args: ['a', '--b'] });
  expect(chooseCommand(['check', 'mail'], table)).toEqual({ command: table.commands[2], args: ['mail'] });
});

test.each([[], ['help'], ['--help'], ['-h'], ['help', 'nonsense']])(
  'typing %j prints the help of all commands, also of those that another program runs',
  (...args) => {
    const choice = chooseCommand(args, table);
    expect(choice).toEqual({
      help: [
        'npm run x -- mail list [--all]\n    What waits.\n',
        'npm run x -- mail retry ID\n    Sends it again.\n',
        'npm run x -- check\n    Checks.\n',
        'npm run x -- reports\n    What people reported.\n',
      ].join('\n'),
    });
  },
);

test.each([[['mail', '--help']], [['help', 'mail']]])('%j gives the help of all commands that begin with this word', (typed) => {
  expect(chooseCommand(typed, table)).toEqual({
    help: 'npm run x -- mail list [--all]\n    What waits.\n\nnpm run x -- mail retry ID\n    Sends it again.\n',
  });
});

test.each([[['help', 'mail', 'list']], [['mail', 'list', '--help']], [['mail', 'list', '--all', '-h']]])(
  'typing %j prints only the help of that command',
  (args) => {
    expect(chooseCommand(args, table)).toEqual({ help: 'npm run x -- mail list [--all]\n    What waits.\n' });
  },
);

test.each([
  [['mail'], 'After "mail" say "list" or "retry"; npm run x -- help shows every word.'],
  [['mail', 'send'], 'After "mail" say "list" or "retry"; npm run x -- help shows every word.'],
  [['toString'], 'There is no command "toString"; npm run x -- help shows every word.'],
  [['reports'], 'There is no command "reports"; npm run x -- help shows every word.'],
])('typing %j is refused with a sentence that says how to list the commands', (args, sentence) => {
  expect(() => chooseCommand(args, table)).toThrow(new Usage(sentence));
});
