import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const below = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL that Debian has installed; null when there is none. */
export function postgresBinaries(): string | null {
  if (!existsSync(below)) return null;
  const versions = readdirSync(below).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(below, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
}
