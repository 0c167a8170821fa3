import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const day_ms = 24 * 3_600_000;

/** Removes what builds that were ended left behind. Other builds may use the same cache at this moment, so there only old folders go. */
export async function removeLeftovers(out: string, cache: string): Promise<void> {
  const temporary = /\.[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/;
  for (const name of await namesIn(out, true)) if (temporary.test(name)) await rm(join(out, name), { force: true });
  for (const name of (await namesIn(cache)).filter((entry) => /^(work|fetching)-/.test(entry))) {
    const { mtimeMs } = await stat(join(cache, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > day_ms) await rm(join(cache, name), { recursive: true, force: true });
  }
}

const namesIn = (folder: string, recursive = false): Promise<string[]> => readdir(folder, { recursive }).catch(() => []);
