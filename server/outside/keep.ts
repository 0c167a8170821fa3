import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** A new file in `folder`, named by the time so that names sort; on disk before this resolves: what was accepted is not lost with the process. */
export async function keepFile(folder: string, extension: string, content: Buffer | string): Promise<void> {
  const name = `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}`;
  const file = await open(join(folder, `${name}.tmp`), 'w', 0o600);
  await file.writeFile(content);
  await file.sync();
  await file.close();
  await rename(join(folder, `${name}.tmp`), join(folder, `${name}.${extension}`));
}

/** When a file that `keepFile` named was kept, ISO 8601. */
export function keptAt(name: string): string {
  return name.slice(0, 22).replace(/T(\d\d)(\d\d)/, 'T$1:$2:');
}
