import { dirname } from 'node:path';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { operatorIn } from './lib/operator.ts';
import { release } from './lib/release.ts';

/** Whose this program is: of one that was installed that lies beside it (P3.2). `told`: the server that was named otherwise. */
export async function serverOf(execPath: string, told: string | undefined) {
  const key = release?.key;
  const operator =
    key === undefined ? null : await operatorIn(dirname(execPath), (document, payload) => openDocument(document, key, payload));
  return { operator, server: (told ?? operator?.public_url ?? 'http://localhost:4380').replace(/\/+$/, '') };
}
