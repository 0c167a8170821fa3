import { BadConfig, readSettings, wrongSettings } from './read.ts';

/** Runs before packages are installed. `alsoMissing`: reports missing settings too. */
export function checkBeforeInstall(env: Record<string, string | undefined>, alsoMissing: boolean): string {
  if (!alsoMissing) return wrongSettings(env).join('\n');
  try {
    readSettings(env);
    return '';
  } catch (reason) {
    if (reason instanceof BadConfig) return reason.message;
    throw reason;
  }
}
