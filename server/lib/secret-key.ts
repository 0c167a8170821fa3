import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The key of an embedded set-up: made once in the data folder, readable by its owner only. */
export async function secretKeyIn(folder: string): Promise<string> {
  const path = join(folder, 'secret.key');
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(randomBytes(32).toString('base64url'));
    await file.sync();
    await file.close();
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err;
  }
  const key = (await readFile(path, 'utf8')).trim();
  if (key.length < 32) throw new Error(`The file ${path} is damaged. Put the key back from a backup.`);
  return key;
}
