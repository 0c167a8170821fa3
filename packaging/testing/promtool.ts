import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm test` unpacks promtool. */
export const fetchedPromtool = fileURLToPath(new URL('../../.cache/promtool/promtool', import.meta.url));

/** The program that checks files for Prometheus, or null. */
export function findPromtool(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders.map((folder) => join(folder, 'promtool')), fetchedPromtool].find((path) => existsSync(path)) ?? null;
}
