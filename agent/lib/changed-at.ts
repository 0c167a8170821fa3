import { statSync } from 'node:fs';

/**
 * The later of a file's birth and its last change, in milliseconds since 1970: by times that the system sets itself, not the time of the
 * last write, which installers and archives set to the past. Null when unknown.
 */
export function changedAt(path: string): number | null {
  try {
    const { birthtimeMs, ctimeMs } = statSync(path);
    return ctimeMs > 0 ? Math.max(birthtimeMs, ctimeMs) : null;
  } catch {
    return null;
  }
}
