import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';
import { signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair, verifyText } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { BuildFailed } from './build-failed.ts';
import { targets } from './targets.ts';
import { writeAtomically } from './write-file.ts';

const keyFile = z.object({ public_key: z.string(), private_key: z.string(), former: z.array(z.string()).default([]) });
/** A release key pair with the earlier public keys. */
export type ReleaseKey = z.infer<typeof keyFile>;

/**
 * The release key signs updates and the operator's file; created at the first build, readable only by its owner. The server's own process
 * never reads it. An operator who builds elsewhere, with INSTALLERS_BUILD=off here, leaves an attacker at the server without it. If it is lost, agents can be updated only by hand.
 */
export async function releaseKey(path: string): Promise<ReleaseKey> {
  const stored = await storedKey(path);
  if (stored) return stored;
  const newKey = { ...newKeyPair(), former: [] };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, JSON.stringify(newKey));
  return newKey;
}

/**
 * The release key for installers that replace those in `folder`. A new key is made only where there are none: agents take no update that another
 * key than theirs has signed. Throws `BuildFailed` when the key of what is there is not at `path`.
 */
export async function releaseKeyFor(folder: string, path: string): Promise<{ key: ReleaseKey; isNew: boolean }> {
  const earlier = await signedEarlier(folder);
  const stored = await storedKey(path);
  if (!earlier) return { key: stored ?? (await releaseKey(path)), isNew: stored === null };
  const isOwn = stored && [stored.public_key, ...stored.former].some((key) => verifyText(earlier.payload, earlier.signature, key));
  if (isOwn) return { key: stored, isNew: false };
  throw new BuildFailed(
    'release_key',
    `The installers in ${folder} were built with another release key than ${stored ? `that in ${path}` : `one in ${path}, where there is none`}. Set RELEASE_KEY to the file with that key, or build the installers where it is and copy them here.`,
  );
}

async function storedKey(path: string): Promise<ReleaseKey | null> {
  try {
    return keyFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (err) {
    // A key that cannot be read is not replaced by another.
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw err;
  }
}

/** A document that the release key of the earlier build has signed. */
async function signedEarlier(folder: string): Promise<SignedDocument | null> {
  for (const file of ['update/manifest.json', ...targets.map((target) => `programs/${target}/operator.json`)]) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => null);
    if (text !== null) return signedDocument.parse(JSON.parse(text));
  }
  return null;
}

/**
 * Replaces the release key. Returns the path of the statement signed with the old key, which the server passes on to agents. The statement
 * is written first, so that no crash loses a key.
 */
export async function newReleaseKey(path: string, now: Date): Promise<string> {
  const oldKey = await releaseKey(path);
  const nextKey = newKeyPair();
  const statement = `${path.replace(/\.json$/, '')}-next.json`;
  await writeAtomically(statement, JSON.stringify(signReleaseKey(nextKey.public_key, now, oldKey)));
  await writeAtomically(`${path}.old`, JSON.stringify(oldKey));
  await writeAtomically(path, JSON.stringify({ ...nextKey, former: [oldKey.public_key, ...oldKey.former] }));
  return statement;
}
