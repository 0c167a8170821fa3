import { canonicalHost } from '../sites/host.ts';
import { withNamesAbove } from '../sites/names-above.ts';
import { whyNeverBlocked } from '../sites/public-suffix.ts';
import { eachLine } from './lines.ts';

/** Names that no list may block. */
export type Keep = ReadonlySet<string>;

/**
 * Reads an operator's own list of what must stay reachable: one name a line, or rows of a table (`1,google.com`, name and tab), as lists
 * of the most visited sites come. The names above each are kept too, because blocking one blocks what lies below it.
 */
export async function readKeep(chunks: Parameters<typeof eachLine>[0]): Promise<Keep> {
  const keep = new Set<string>();
  await eachLine(chunks, (text) => {
    const cells = (text ?? '').replace(/#.*$/, '').split(/[,;\s]+/);
    const read = canonicalHost(cells.find((cell) => cell.includes('.')) ?? '');
    if (!('host' in read) || read.kind !== 'name') return;
    for (const name of withNamesAbove(read.host)) keep.add(name);
  });
  return keep;
}

/** Why a list may not block this name, in words, or null when it may. */
export function whyKept(host: string, keep: Keep): string | null {
  return whyNeverBlocked(host) ?? (keep.has(host) ? 'it is, or stands above, a name to be kept (--keep)' : null);
}
