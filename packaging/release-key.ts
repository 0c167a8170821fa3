import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { writeAtomically } from './write-file.ts';

const keyFile = z.object({ public_key: z.string(), private_key: z.string(), former: z.array(z.string()).default([]) });
/** The pair, and the public halves of those before it. */
export type ReleaseKey = z.infer<typeof keyFile>;

/**
 * The operator's release key, which signs updates and the operator's file; made at the first build, in a file that its owner alone can read. It
 * is no part of the server: who breaks into that cannot make an agent run anything. Lost, agents out there can only be updated by hand.
 */
export async function releaseKey(path: string): Promise<ReleaseKey> {
  const stored = await readFile(path, 'utf8').catch(() => null);
  if (stored !== null) return keyFile.parse(JSON.parse(stored));
  const made = { ...newKeyPair(), former: [] };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, JSON.stringify(made));
  return made;
}

/**
 * Puts a new release key in the place of the one in this file. What the old one signs of it goes into a file beside it, for the server to pass on to
 * agents; answers where. In this order, so that no key is lost: the statement is there before the key that it names takes the place of the old one.
 */
export async function newReleaseKey(path: string, now: Date): Promise<string> {
  const old = await releaseKey(path);
  const next = newKeyPair();
  const statement = `${path.replace(/\.json$/, '')}-next.json`;
  await writeAtomically(statement, JSON.stringify(signReleaseKey(next.public_key, now, old)));
  await writeAtomically(`${path}.old`, JSON.stringify(old));
  await writeAtomically(path, JSON.stringify({ ...next, former: [old.public_key, ...old.former] }));
  return statement;
}
