import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The words that were typed cannot be done. The message is a sentence that says what to type instead. */
export class Usage extends Error {}

export const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

/**
 * Reads `--name value` and `--flag` after the words of a command, for all commands of the project. `command`: as a sentence names it; `hint`: the end of
 * that sentence with what comes before it, where to read more. Without `positionals` every other word is refused. Throws `Usage`.
 */
export function readCommandLine<const T extends ParseArgsOptionsConfig>(
  args: string[],
  options: T,
  { command, hint, positionals = false }: { command: string; hint: string; positionals?: boolean },
) {
  try {
    return parseArgs({ args, options, strict: true, allowNegative: true, allowPositionals: positionals });
  } catch (reason) {
    throw new Usage(inWords(command, hint, reason as Error & { code?: string }));
  }
}

function inWords(command: string, hint: string, { code, message }: Error & { code?: string }): string {
  const named = /'(--?[\w-]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `"${command}" does not know ${named}${hint}.`;
  if (/does not take an argument/.test(message)) return `${named} stands alone, without a value after it.`;
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return `${named} needs a value after it${hint}.`;
  const extra = /argument '(.*?)'/s.exec(message)?.[1] ?? '';
  return `"${command}" does not know what to do with "${extra}"; a text of several words stands in quotes.`;
}
