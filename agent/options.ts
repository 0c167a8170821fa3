import { parseArgs } from 'node:util';

export type Options = { code: string } | { link: { uri: string; signature: string } } | null;

/** Throws a sentence that says what to do when the options make no sense. */
export function readOptions(args: string[]): Options {
  const usage = 'Start it with --code ABCD-EFGH, with --link URI --signature S, or with nothing to go on as before.';
  let values: { code?: string | undefined; link?: string | undefined; signature?: string | undefined };
  try {
    values = parseArgs({ args, options: { code: { type: 'string' }, link: { type: 'string' }, signature: { type: 'string' } } }).values;
  } catch (err) {
    throw new Error(`${err instanceof Error ? err.message.split('.')[0] : 'That is not an option'}. ${usage}`);
  }
  const { code, link, signature } = values;
  if (Object.values(values).includes('')) throw new Error(`One of the options is empty. ${usage}`);
  if (code && (link || signature)) throw new Error(`Either a code or a link, not both. ${usage}`);
  if (code) return { code };
  if (link && signature) return { link: { uri: link, signature } };
  if (link || signature) throw new Error(`--link and --signature belong together. ${usage}`);
  return null;
}
