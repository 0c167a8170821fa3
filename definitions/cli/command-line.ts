import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The command was typed wrong. The message is a sentence that says what to type instead. */
export class Usage extends Error {}

/** The command was typed right and cannot be carried out. The message says why, and what to do. */
export class Failure extends Error {}

export interface CommandForm {
  /** One or two words, such as `promo create`. */
  name: string;
  /** The arguments after the name, such as `<folder> [--all]`; empty without arguments. */
  usage: string;
}

export interface CommandHelp extends CommandForm {
  help: string;
}

export interface CommandTable<C extends CommandHelp> {
  /** How the program is started, such as `npm run porchlight --`. */
  program: string;
  commands: C[];
  /** Commands that help shows here and another program runs. */
  elsewhere?: CommandHelp[];
}

export const helpHint = (program: string) => `${program} help shows every word`;

/** The command that was typed with its arguments, or the text that was asked for: about one command, or about all. Throws `Usage`. */
export function chooseCommand<C extends CommandHelp>(
  typed: string[],
  { program, commands, elsewhere = [] }: CommandTable<C>,
): { command: C; args: string[] } | { help: string } {
  const explain = (commandsToExplain: CommandHelp[]) => ({
    help: commandsToExplain.map(({ name, usage, help }) => `${program} ${[name, usage].join(' ').trim()}\n    ${help}\n`).join('\n'),
  });
  const allCommands = [...commands, ...elsewhere];
  const isNamedBy = (words: string[]) => (command: CommandHelp) =>
    words.slice(0, command.name.split(' ').length).join(' ') === command.name;
  const [first] = typed;
  if (first === undefined || first === 'help' || typed.some(isHelpOption)) {
    const words = typed.slice(first === 'help' ? 1 : 0).filter((word) => !isHelpOption(word));
    const named = allCommands.filter(isNamedBy(words));
    const group = allCommands.filter(({ name }) => name.startsWith(`${words[0]} `));
    return explain([named, group, allCommands].find(({ length }) => length > 0) ?? []);
  }
  const command = commands.find(isNamedBy(typed));
  if (!command) throw new Usage(unknownCommand(first, program, commands));
  return { command, args: typed.slice(command.name.split(' ').length) };
}

const isHelpOption = (word: string) => word === '--help' || word === '-h';

function unknownCommand(firstWord: string, program: string, commands: CommandHelp[]): string {
  const secondWords = commands
    .filter(({ name }) => name.startsWith(`${firstWord} `))
    .map(({ name }) => `"${name.slice(firstWord.length + 1)}"`);
  return secondWords.length
    ? `After "${firstWord}" say ${secondWords.join(' or ')}; ${helpHint(program)}.`
    : `There is no command "${firstWord}"; ${helpHint(program)}.`;
}

/**
 * Parses `--name value` and `--flag`. `command` and `hint` are for messages; `hint`: where to read more. Without `positionals`, every other
 * word is refused. Throws `Usage`.
 */
export function readCommandLine<const T extends ParseArgsOptionsConfig>(
  args: string[],
  options: T,
  { command, hint, positionals = false }: { command: string; hint: string; positionals?: boolean },
) {
  try {
    return parseArgs({ args, options, strict: true, allowNegative: true, allowPositionals: positionals });
  } catch (reason) {
    throw new Usage(parseErrorText(command, hint, reason as Error & { code?: string }));
  }
}

function parseErrorText(command: string, hint: string, { code, message }: Error & { code?: string }): string {
  const optionName = /'(--?[\w-]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `"${command}" does not know ${optionName}${hint}.`;
  if (/does not take an argument/.test(message)) return `${optionName} stands alone, without a value after it.`;
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return `${optionName} needs a value after it${hint}.`;
  const extraWord = /argument '(.*?)'/s.exec(message)?.[1] ?? '';
  return `"${command}" does not know what to do with "${extraWord}"; a text of several words stands in quotes.`;
}
