import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type KeyPair, newKeyPair } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { privateFolder, writeWhole } from '../state/files.ts';

const keyPair = z.object({ public_key: z.string(), private_key: z.string() });

/**
 * The operator's release key, which signs updates and the operator's file; made at the first build, in a file that its owner alone can read. It
 * is no part of the server: who breaks into that cannot make an agent run anything. Lost, agents out there can only be updated by hand.
 */
export async function releaseKey(path: string): Promise<KeyPair> {
  const kept = await readFile(path, 'utf8').catch(() => null);
  if (kept !== null) return keyPair.parse(JSON.parse(kept));
  const made = newKeyPair();
  await privateFolder(dirname(path));
  await writeWhole(path, JSON.stringify(made));
  return made;
}
