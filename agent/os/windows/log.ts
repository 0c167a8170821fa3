import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { win32 } from 'node:path';

/** A longer log is rotated; one old file remains. */
const MAX_BYTES = 1 << 20;

export function logTo(folder: string): (sentence: string) => void {
  const path = win32.join(folder, 'agent.log');
  return (sentence) => {
    mkdirSync(folder, { recursive: true });
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_BYTES) renameSync(path, `${path}.old`);
    appendFileSync(path, `${new Date().toISOString()} ${sentence}\n`);
  };
}
