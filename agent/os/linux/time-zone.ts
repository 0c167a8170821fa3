import { readlinkSync } from 'node:fs';

/**
 * The name of the time zone, as `Europe/Berlin`: of the variable, else of what /etc/localtime leads to. Only where neither says, the engine is asked: it
 * reads 8 MB of its tables for that and keeps them.
 */
export function timeZone(tz: string | undefined, localtime = '/etc/localtime'): string {
  const said = zoneName.exec(tz ?? '')?.[0] ?? (tz ? null : zoneOf(localtime));
  return said ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}

/** `Area/SocketAddress`; abbreviations and rules as `CET-1CEST` are left to the engine. */
const zoneName = /^(?:[A-Z][A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+|UTC)$/;

function zoneOf(link: string): string | null {
  try {
    const [, name = ''] = readlinkSync(link).split('/zoneinfo/', 2);
    return name === 'Etc/UTC' ? 'UTC' : (zoneName.exec(name)?.[0] ?? null);
  } catch {
    return null;
  }
}
