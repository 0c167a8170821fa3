import { dirname } from 'node:path';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { operatorIn } from '../lib/operator.ts';
import { release } from '../lib/release.ts';

/** The server's address: `override`, or the signed file beside an installed program (P3.2), or the default for development. */
export async function configuredServer(execPath: string, override: string | undefined) {
  const keys = release ? [release.key, ...(release.former ?? [])] : [];
  const openSigned: Parameters<typeof operatorIn>[1] = (document, payload) =>
    keys.map((key) => openDocument(document, key, payload)).find((opened) => opened !== null) ?? null;
  const operator = release ? await operatorIn(dirname(execPath), openSigned) : null;
  return { operator, server: (override ?? operator?.public_url ?? 'http://localhost:4380').replace(/(?<!\/)\/+$/, '') };
}
