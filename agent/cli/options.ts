import { parseArgs } from 'node:util';
import { codeFromInstallerName } from './installer-name.ts';

/**
 * `free`: protect at once, also where there is no code or it is refused. `installed`: started by the system; the options lie in the folder. A PIN is
 * never an option: where one is needed the window asks for it.
 */
export type Options =
  | { code: string; free?: true }
  | { link: { uri: string; signature: string } }
  | { free: true }
  | { installed: true }
  | null;

/** Whether the free plan is wanted, and whether it waits for the result of a code. */
export function wantsFree(options: Options): boolean | 'with_code' {
  if (options === null || !('free' in options)) return false;
  return 'code' in options ? 'with_code' : true;
}

const strings = ['code', 'link', 'signature', 'installer'] as const;
const switches = ['free', 'installed'] as const;

/** Throws a sentence that says what to do when the options are wrong. */
export function readOptions(args: string[]): Options {
  const usage =
    'Start it with --code ABCD-EFGH, with --link URI --signature S, with --free for the free plan, with --installer NAME, or with nothing to go on as before. --help says more.';
  let values: Partial<Record<(typeof strings)[number], string>> & Partial<Record<(typeof switches)[number], boolean>>;
  try {
    const texts = Object.fromEntries(strings.map((name) => [name, { type: 'string' as const }]));
    const others = Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }]));
    values = parseArgs({ args, options: { ...texts, ...others } }).values;
  } catch (err) {
    throw new Error(`${err instanceof Error ? err.message.split('.')[0] : 'That is not an option'}. ${usage}`);
  }
  const { code, link, signature, free, installer, installed } = values;
  if (Object.values(values).includes('')) throw new Error(`One of the options is empty. ${usage}`);
  const ways = [code, link ?? signature, free, installer, installed].filter(Boolean).length;
  if (ways > 1) throw new Error(`Only one of these at a time. ${usage}`);
  if (free) return { free };
  if (installed) return { installed };
  // An installer's downloaded name (P3.4); without a code in it, the free plan is meant.
  if (installer) {
    const named = codeFromInstallerName(installer);
    return named ? { code: named, free: true } : { free: true };
  }
  if (code) return { code };
  if (link && signature) return { link: { uri: link, signature } };
  if (link || signature) throw new Error(`--link and --signature belong together. ${usage}`);
  return null;
}
