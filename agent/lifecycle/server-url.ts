import { dirname } from 'node:path';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { operatorIn } from '../lib/operator.ts';
import { release } from '../lib/release.ts';

/** The server and keys of this program: from the signed file beside an installed one (P3.2), unless `told` names another server. */
export async function configuredServer(execPath: string, told: string | undefined) {
  const keys = release ? [release.key, ...(release.former ?? [])] : [];
  const open: Parameters<typeof operatorIn>[1] = (document, payload) =>
    keys.map((key) => openDocument(document, key, payload)).find((found) => found !== null) ?? null;
  const operator = release ? await operatorIn(dirname(execPath), open) : null;
  return { operator, server: (told ?? operator?.public_url ?? 'http://localhost:4380').replace(/\/+$/, '') };
}
