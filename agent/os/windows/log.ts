import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { win32 } from 'node:path';

/** A log that is longer than this becomes the old one, of which there is one. Bytes. */
const MAX_BYTES = 1 << 20;

/** Writes sentences with their time into `agent.log` of this folder. */
export function logTo(folder: string): (sentence: string) => void {
  const path = win32.join(folder, 'agent.log');
  return (sentence) => {
    mkdirSync(folder, { recursive: true });
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_BYTES) renameSync(path, `${path}.old`);
    appendFileSync(path, `${new Date().toISOString()} ${sentence}\n`);
  };
}
