import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

export const seeHelp = 'npm run porchlight -- help shows every word';

/** What was typed cannot be done. The message is one sentence that says what to do. */
export class Usage extends Error {}

/** Reads `--name value` and `--flag` after the words of a command; anything else is refused in a sentence. */
export function readOptions<const T extends ParseArgsOptionsConfig>(words: string, args: string[], options: T) {
  try {
    return parseArgs({ args, options, strict: true, allowNegative: true, allowPositionals: false }).values;
  } catch (reason) {
    throw new Usage(inWords(words, reason as Error & { code?: string }));
  }
}

function inWords(words: string, { code, message }: Error & { code?: string }): string {
  const named = /'(--?[\w-]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `"${words}" does not know ${named}; ${seeHelp}.`;
  if (/does not take an argument/.test(message)) return `${named} stands alone, without a value after it.`;
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return `${named} needs a value after it; ${seeHelp}.`;
  const extra = /argument '(.*?)'/s.exec(message)?.[1] ?? '';
  return `"${words}" does not know what to do with "${extra}"; a text of several words stands in quotes.`;
}
