import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';
import { updateManifest } from '@porchlight/contract/updates.ts';

/** Below the installers' folder; `npm run installers` writes the updates. */
const folderName = 'update';
const manifestName = 'manifest.json';

export interface Updates {
  /** The signed manifest; null without a complete update. */
  manifest(): Promise<SignedDocument | null>;
  /** A file of the update; null for files outside the manifest. */
  find(sha256: string): Promise<{ folder: string; file: string } | null>;
}

/** Updates in a folder. The operator signs them, and agents verify the signature. `unreadable` gets errors other than a missing file. */
export function updatesIn(dir: string, unreadable: (err: unknown) => void): Updates {
  const readUpdate = async (): Promise<{ folder: string; document: SignedDocument; files: Map<string, string> } | null> => {
    try {
      const folder = await realpath(join(dir, folderName));
      const document = signedDocument.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')));
      const files = new Map<string, string>();
      for (const { sha256, size } of updateManifest.parse(JSON.parse(document.payload)).files) {
        const path = await realpath(join(folder, `${sha256}.gz`));
        // A symbolic link could expose any file, and a wrong size means an incomplete copy.
        if (!path.startsWith(folder + sep) || (await stat(path)).size !== size)
          throw new Error(`${sha256}.gz is not the file of the manifest`);
        files.set(sha256, relative(folder, path));
      }
      return { folder, document, files };
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOENT') unreadable(err);
      return null;
    }
  };
  return {
    manifest: async () => (await readUpdate())?.document ?? null,
    async find(sha256) {
      const update = await readUpdate();
      const file = update?.files.get(sha256);
      return update && file ? { folder: update.folder, file } : null;
    },
  };
}
