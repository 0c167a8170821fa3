import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from '../lib/start-failure.ts';

export const secretKeyFile = (folder: string) => join(folder, 'secret.key');

export const secretKeyIn = (folder: string) => secretIn(secretKeyFile(folder));

/** Opens the pages of the simulators; the server prints it at start, as part of their URLs. */
export const simulatorKeyIn = (folder: string) => secretIn(join(folder, 'simulators.key'));

/**
 * 256 random bits as base64url, created once. The file gets its name once it is on disk, so that a crash or a full disk leaves no partial
 * key. Throws `StartRefused` for a damaged key.
 */
async function secretIn(path: string): Promise<string> {
  const key = (await readFile(path, 'utf8').catch(unlessMissing)) ?? (await makeKey(path));
  if (key.trim().length < 32) {
    throw new StartRefused(`The file ${path} is damaged. Put the key back from a backup, or remove the file if Porchlight never ran here.`);
  }
  return key.trim();
}

function unlessMissing(err: NodeJS.ErrnoException): null {
  if (err.code === 'ENOENT') return null;
  throw err;
}

async function makeKey(path: string): Promise<string> {
  const draftPath = `${path}.${randomUUID()}`;
  try {
    const file = await open(draftPath, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(32).toString('base64url'));
      await file.sync();
    } finally {
      await file.close();
    }
    // A link never replaces a key that another process has created meanwhile.
    await link(draftPath, path).catch((err: NodeJS.ErrnoException) => {
      if (err.code !== 'EEXIST') throw err;
    });
  } finally {
    await rm(draftPath, { force: true });
  }
  return readFile(path, 'utf8');
}
