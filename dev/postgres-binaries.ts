import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const installFolder = '/usr/lib/postgresql';

export function postgresBinaries(): string | null {
  if (!existsSync(installFolder)) return null;
  const versions = readdirSync(installFolder).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(installFolder, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
}
