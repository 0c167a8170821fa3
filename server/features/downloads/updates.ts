import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type SignedDocument, signedDocument } from '@porchlight/contract/shapes.ts';
import { updateManifest } from '@porchlight/contract/updates.ts';

/** Where the operator puts an update of the agent, below the folder of the installers: `npm run installers` writes it. */
const folderName = 'update';
const manifestName = 'manifest.json';

export interface Updates {
  /** As it was signed; null where there is none, or one of its files is missing. */
  manifest(): Promise<SignedDocument | null>;
  /** A file of that manifest, by its hash: its folder, and its path below. Null for anything else. */
  find(sha256: string): Promise<{ folder: string; file: string } | null>;
}

/** The update in a folder. Nothing is signed here: the release key is the operator's, and agents look at the signature themselves. `unreadable` is told why one that is there is not given. */
export function updatesIn(dir: string, unreadable: (err: unknown) => void): Updates {
  const read = async (): Promise<{ folder: string; document: SignedDocument; files: Map<string, string> } | null> => {
    try {
      const folder = await realpath(join(dir, folderName));
      const document = signedDocument.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')));
      const files = new Map<string, string>();
      for (const { sha256, size } of updateManifest.parse(JSON.parse(document.payload)).files) {
        const path = await realpath(join(folder, `${sha256}.gz`));
        // A link out of the folder would give away whatever it points to; and half a file is none.
        if (!path.startsWith(folder + sep) || (await stat(path)).size !== size) throw new Error(`${sha256}.gz is not the file of the manifest`);
        files.set(sha256, relative(folder, path));
      }
      return { folder, document, files };
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOENT') unreadable(err);
      return null;
    }
  };
  return {
    manifest: async () => (await read())?.document ?? null,
    async find(sha256) {
      const found = await read();
      const file = found?.files.get(sha256);
      return found && file ? { folder: found.folder, file } : null;
    },
  };
}
