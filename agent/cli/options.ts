import { parseArgs } from 'node:util';
import { codeFromInstallerName } from './installer-name.ts';

/**
 * `free`: the free plan protects at once, also without a valid code. `installed`: started by the system; the options are in the folder. A
 * PIN is never an option, because other programs can read the command line; the window asks for it.
 */
export type Options =
  | { code: string; free?: true }
  | { link: { uri: string; signature: string } }
  | { free: true }
  | { installed: true }
  | null;

/** Whether the free plan is wanted; `with_code`: only once the server has answered the code. */
export function wantsFree(options: Options): boolean | 'with_code' {
  if (options === null || !('free' in options)) return false;
  return 'code' in options ? 'with_code' : true;
}

const strings = ['code', 'link', 'signature', 'installer'] as const;
const switches = ['free', 'installed'] as const;

export function readOptions(args: string[]): Options {
  const usage =
    'Start it with --code ABCD-EFGH, with --link URI --signature S, with --free for the free plan, with --installer NAME, or with nothing to go on as before. --help says more.';
  let values: Partial<Record<(typeof strings)[number], string>> & Partial<Record<(typeof switches)[number], boolean>>;
  try {
    const stringOptions = Object.fromEntries(strings.map((name) => [name, { type: 'string' as const }]));
    const booleanOptions = Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }]));
    values = parseArgs({ args, options: { ...stringOptions, ...booleanOptions } }).values;
  } catch (err) {
    throw new Error(`${err instanceof Error ? err.message.split('.')[0] : 'That is not an option'}. ${usage}`);
  }
  const { code, link, signature, free, installer, installed } = values;
  if (Object.values(values).includes('')) throw new Error(`One of the options is empty. ${usage}`);
  const optionCount = [code, link ?? signature, free, installer, installed].filter(Boolean).length;
  if (optionCount > 1) throw new Error(`Only one of these at a time. ${usage}`);
  if (free) return { free };
  if (installed) return { installed };
  // An installer's name without a code means the free plan (P3.4).
  if (installer) {
    const installerCode = codeFromInstallerName(installer);
    return installerCode ? { code: installerCode, free: true } : { free: true };
  }
  if (code) return { code };
  if (link && signature) return { link: { uri: link, signature } };
  if (link || signature) throw new Error(`--link and --signature belong together. ${usage}`);
  return null;
}
