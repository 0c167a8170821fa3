import { z } from 'zod';
import { shippedNeverBlock } from '../shipped.ts';
import { canonicalHost } from '../sites/host.ts';
import { withParentDomains } from '../sites/parent-domains.ts';
import { whyNeverBlocked } from '../sites/public-suffix.ts';
import { eachLine } from './lines.ts';

/** Names that no list may block. */
export type Keep = ReadonlySet<string>;

/** The JSON of MISP's warning lists, or a plain array. */
const jsonList = z.union([z.object({ list: z.array(z.unknown()) }).transform(({ list }) => list), z.array(z.unknown())]);

/**
 * One name per line, table rows such as `1,google.com`, or JSON: an array of names, alone or as `list` of an object. Includes parent domains,
 * because blocking one blocks its subdomains. Empty when the JSON is damaged or has another shape.
 */
export async function readKeep(chunks: Parameters<typeof eachLine>[0]): Promise<Keep> {
  const buffered: (Uint8Array | string)[] = [];
  for await (const chunk of chunks) buffered.push(chunk);
  const protectedNames = new Set<string>();
  const protect = (text: string) => {
    const read = canonicalHost(text.replace(/^\./, ''));
    if (!('host' in read) || read.kind !== 'name') return;
    for (const name of withParentDomains(read.host)) protectedNames.add(name);
  };
  const names = isJson(buffered) ? jsonNames(buffered) : null;
  for (const name of names ?? []) if (name.includes('.')) protect(name);
  if (names) return protectedNames;
  await eachLine(buffered, (text) => {
    const cells = (text ?? '').replace(/#.*/, '').split(/[,;\s]+/);
    protect(cells.find((cell) => cell.includes('.')) ?? '');
  });
  return protectedNames;
}

const textOf = (chunks: (Uint8Array | string)[]) => Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString('utf8');

const isJson = ([first]: (Uint8Array | string)[]) =>
  first !== undefined && /^\uFEFF?\s*[[{]/.test(Buffer.from(first).subarray(0, 200).toString('utf8'));

function jsonNames(chunks: (Uint8Array | string)[]): string[] {
  try {
    const names = jsonList.safeParse(JSON.parse(textOf(chunks).replace(/^\uFEFF/, '')));
    return (names.data ?? []).filter((name) => typeof name === 'string');
  } catch {
    return [];
  }
}

/** `www.` counts as the host itself. */
export const isProtected = (host: string, keep: Keep): boolean => keep.has(host) || keep.has(host.replace(/^www\./, ''));

export const isHarmless = (host: string, keep: Keep): boolean => isProtected(host, keep) || isProtected(host, shippedNeverBlock);

export function whyNotBlockable(host: string, keep: Keep): string | null {
  return (
    whyNeverBlocked(host, shippedNeverBlock) ?? (isProtected(host, keep) ? 'it is, or stands above, a name to be kept (--keep)' : null)
  );
}
