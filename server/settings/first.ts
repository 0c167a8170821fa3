import { BadConfig, readSettings, wrongSettings } from './read.ts';

/** What is wrong with what is set, a line each, before any package is there. `whole`: also what the server would miss. */
export function firstLook(env: Record<string, string | undefined>, whole: boolean): string {
  if (!whole) return wrongSettings(env).join('\n');
  try {
    readSettings(env);
    return '';
  } catch (reason) {
    if (reason instanceof BadConfig) return reason.message;
    throw reason;
  }
}
