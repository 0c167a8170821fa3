import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerKeys, serverKeys } from '@porchlight/contract/agent.ts';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';

/**
 * `operator.json` beside an installed agent: the server's address and public keys (P3.2), signed with the release key. Null when there is
 * no file. Throws when `openSigned` does not verify it: another server is not trusted.
 */
export async function operatorIn(
  folder: string,
  openSigned: (document: SignedDocument, payload: typeof serverKeys) => ServerKeys | null,
): Promise<ServerKeys | null> {
  const content = await readFile(join(folder, 'operator.json'), 'utf8').catch(() => null);
  if (content === null) return null;
  const document = signedDocument.safeParse(parsed(content));
  const operator = document.success ? openSigned(document.data, serverKeys) : null;
  if (!operator) throw new Error(`operator.json in ${folder} is not the one that was installed. Install Porchlight again.`);
  return operator;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
