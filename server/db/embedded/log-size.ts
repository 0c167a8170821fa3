import { copyFile, stat, truncate } from 'node:fs/promises';

/** In bytes. */
const max = 4_000_000;
/** In milliseconds. */
const every = 10 * 60_000;

/**
 * Moves the content of PostgreSQL's log to a second file once it is large. PostgreSQL has its file open for appending for months, so the
 * file itself stays and is emptied. On a full disk the content is lost: the database needs the room more.
 */
export async function shortenLog(file: string): Promise<void> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size <= max) return;
  await copyFile(file, `${file}.old`).catch(() => {});
  await truncate(file).catch(() => {});
}

/** Returns a function that stops it. */
export function shortenLogRegularly(file: string): () => void {
  const timer = setInterval(() => void shortenLog(file), every).unref();
  return () => clearInterval(timer);
}
