import { FolderInUse, NoEmbedded, NoRoom, StartFailed, WrongFolder } from '../db/embedded/refusals.ts';
import { DatabaseRefused } from '../db/first-connection.ts';
import { isDiskFull } from './outages.ts';

/** The server does not start, and its message says why in a sentence that names the setting or the file. */
export class StartRefused extends Error {}

const inWords = [StartRefused, DatabaseRefused, NoEmbedded, NoRoom, FolderInUse, WrongFolder, StartFailed];

/** What to print for a start that failed: a sentence where the cause is known, and otherwise everything there is. */
export function whyNotStarted(err: unknown, data_dir: string): string {
  if (!(err instanceof Error)) return String(err);
  if (inWords.some((kind) => err instanceof kind)) return err.message;
  const { code } = err as NodeJS.ErrnoException;
  if (isDiskFull(err)) return `The disk is full, so Porchlight cannot start on ${data_dir}. Free some space and start it again.`;
  if (code === 'EADDRINUSE') return 'That port is in use by another program. Set PORT to a free one, for example PORT=4381.';
  return err.stack ?? err.message;
}
