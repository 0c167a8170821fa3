import { parseArgs } from 'node:util';
import { codeFromInstallerName } from './installer-name.ts';

/** `pin`: of the account that this computer belongs to now. `free`: protect at once, also where there is no code or it is refused. */
export type Options =
  | { code: string; free?: true; pin?: string }
  | { link: { uri: string; signature: string }; pin?: string }
  | { free: true }
  | null;

const strings = ['code', 'link', 'signature', 'installer', 'pin'] as const;

/** Throws a sentence that says what to do when the options make no sense. */
export function readOptions(args: string[]): Options {
  const usage =
    'Start it with --code ABCD-EFGH, with --link URI --signature S, with --free for the free plan, with --installer NAME, or with nothing to go on as before.';
  let values: Partial<Record<(typeof strings)[number], string>> & { free?: boolean };
  try {
    const texts = Object.fromEntries(strings.map((name) => [name, { type: 'string' as const }]));
    values = parseArgs({ args, options: { ...texts, free: { type: 'boolean' } } }).values;
  } catch (err) {
    throw new Error(`${err instanceof Error ? err.message.split('.')[0] : 'That is not an option'}. ${usage}`);
  }
  const { code, link, signature, free, installer, pin } = values;
  if (Object.values(values).includes('')) throw new Error(`One of the options is empty. ${usage}`);
  const ways = [code, link ?? signature, free, installer].filter(Boolean).length;
  if (ways > 1) throw new Error(`Only one of these at a time. ${usage}`);
  if (free) return { free };
  // The name under which an installer was downloaded (P3.4); without a code in it, it is the free plan's.
  if (installer) {
    const named = codeFromInstallerName(installer);
    return named ? { code: named, free: true } : { free: true };
  }
  const with_pin = pin ? { pin } : {};
  if (code) return { code, ...with_pin };
  if (link && signature) return { link: { uri: link, signature }, ...with_pin };
  if (pin) throw new Error(`--pin belongs to a code or a link. ${usage}`);
  if (link || signature) throw new Error(`--link and --signature belong together. ${usage}`);
  return null;
}
