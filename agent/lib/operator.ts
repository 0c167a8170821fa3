import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerKeys, serverKeys } from '@porchlight/contract/agent.ts';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';

/**
 * The operator's file that lies beside an installed agent: where its server is, and the server's public keys (P3.2), signed with the release
 * key. `open` verifies. Null when there is none. Throws in words when there is one that is not the operator's: another server is not believed.
 */
export async function operatorIn(
  folder: string,
  open: (document: SignedDocument, payload: typeof serverKeys) => ServerKeys | null,
): Promise<ServerKeys | null> {
  const content = await readFile(join(folder, 'operator.json'), 'utf8').catch(() => null);
  if (content === null) return null;
  const document = signedDocument.safeParse(parsed(content));
  const operator = document.success ? open(document.data, serverKeys) : null;
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
