import { canonicalHost } from '../sites/host.ts';
import { withParentDomains } from '../sites/parent-domains.ts';
import { whyNeverBlocked } from '../sites/public-suffix.ts';
import { eachLine } from './lines.ts';

/** Names that no list may block. */
export type Keep = ReadonlySet<string>;

/** One name per line, or table rows such as `1,google.com`. Includes parent domains, because blocking one blocks its subdomains. */
export async function readKeep(chunks: Parameters<typeof eachLine>[0]): Promise<Keep> {
  const protectedNames = new Set<string>();
  await eachLine(chunks, (text) => {
    const cells = (text ?? '').replace(/#.*$/, '').split(/[,;\s]+/);
    const read = canonicalHost(cells.find((cell) => cell.includes('.')) ?? '');
    if (!('host' in read) || read.kind !== 'name') return;
    for (const name of withParentDomains(read.host)) protectedNames.add(name);
  });
  return protectedNames;
}

export function whyNotBlockable(host: string, keep: Keep): string | null {
  return whyNeverBlocked(host) ?? (keep.has(host) ? 'it is, or stands above, a name to be kept (--keep)' : null);
}
