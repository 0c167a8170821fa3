import { type SignedDocument, signedKeys } from '@porchlight/contract/shapes.ts';
import { followKeys, isNewer, type KeyChain } from '@porchlight/definitions/feed-chain.ts';
import type { SealedFiles } from './sealed-files.ts';

export interface KeyFilesDeps {
  files: SealedFiles;
  path: string;
  pinnedRoot: () => Promise<string | null>;
}

/**
 * The verified key lists. They determine the lowest accepted epoch, so they are stored apart from the documents that they sign. Verified
 * from the pinned root at each read, because the disk may have been changed.
 */
export function keyFiles({ files, path, pinnedRoot }: KeyFilesDeps) {
  const chain = async (): Promise<KeyChain | null> => {
    const root = await pinnedRoot();
    if (!root) return null;
    return opened(root, (await files.read(path, signedKeys))?.keys ?? []);
  };
  return {
    chain,
    /** Resolves when the lists are persisted; older lists are ignored. */
    async saveChain(documents: SignedDocument[]): Promise<void> {
      const root = await pinnedRoot();
      const [chainBefore, newChain] = [await chain(), root && opened(root, documents)];
      if (newChain && (!chainBefore || isNewer(newChain.keys, chainBefore.keys))) await files.write(path, { keys: newChain.documents });
    },
  };
}

function opened(root: string, documents: SignedDocument[]): KeyChain | null {
  try {
    return followKeys(root, documents);
  } catch {
    return null;
  }
}
