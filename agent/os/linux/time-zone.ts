import { readlinkSync } from 'node:fs';

/** Reads TZ or /etc/localtime. The JavaScript engine is only a fallback: it keeps 8 MB of tables in memory. */
export function timeZone(tz: string | undefined, localtime = '/etc/localtime'): string {
  const zone = zoneNamePattern.exec(tz ?? '')?.[0] ?? (tz ? null : zoneOf(localtime));
  return zone ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}

/** A zone name `Area/Location`, not abbreviations or rules such as `CET-1CEST`. */
const zoneNamePattern = /^(?:[A-Z][A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+|UTC)$/;

function zoneOf(link: string): string | null {
  try {
    const [, name = ''] = readlinkSync(link).split('/zoneinfo/', 2);
    return name === 'Etc/UTC' ? 'UTC' : (zoneNamePattern.exec(name)?.[0] ?? null);
  } catch {
    return null;
  }
}
