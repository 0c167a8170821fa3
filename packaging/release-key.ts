import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { writeAtomically } from './write-file.ts';

const keyFile = z.object({ public_key: z.string(), private_key: z.string(), former: z.array(z.string()).default([]) });
/** A release key pair with the earlier public keys. */
export type ReleaseKey = z.infer<typeof keyFile>;

/**
 * The release key signs updates and the operator's file; created at the first build, readable only by its owner. The server does not have
 * it, so an attacker there cannot make agents run code. If it is lost, agents can be updated only by hand.
 */
export async function releaseKey(path: string): Promise<ReleaseKey> {
  const stored = await readFile(path, 'utf8').catch(() => null);
  if (stored !== null) return keyFile.parse(JSON.parse(stored));
  const newKey = { ...newKeyPair(), former: [] };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, JSON.stringify(newKey));
  return newKey;
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
