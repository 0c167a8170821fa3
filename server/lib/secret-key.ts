import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from './start-failure.ts';

/** The key of an embedded set-up. */
export const secretKeyIn = (folder: string) => secretIn(folder, 'secret.key');

/** What opens the pages of the simulators; whoever starts the server is told it as part of their address. */
export const simulatorKeyIn = (folder: string) => secretIn(folder, 'simulators.key');

/**
 * A secret of 256 random bits as base64url: made once in the data folder, readable by its owner only. It gets its name when it is whole and on disk, so
 * that a start that dies, or finds no room, leaves no half of a key. Throws `StartRefused` when a key is there and damaged.
 */
async function secretIn(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
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
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(randomBytes(32).toString('base64url'));
      await file.sync();
    } finally {
      await file.close();
    }
    // A link never takes the place of a key that another process made meanwhile.
    await link(draft, path).catch((err: NodeJS.ErrnoException) => {
      if (err.code !== 'EEXIST') throw err;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}
