import { type SignedDocument, signedKeys } from '@porchlight/contract/shapes.ts';
import { followKeys, isNewer, type KeyChain } from '@porchlight/definitions/feed-chain.ts';
import type { SealedFiles } from './sealed.ts';

export interface KeyFilesDeps {
  files: SealedFiles;
  path: string;
  pinnedRoot: () => Promise<string | null>;
  /** The lists that came with the definitions, of an agent from before they were kept on their own. */
  ofFeed: () => Promise<SignedDocument[]>;
}

/**
 * The lists of keys that this computer has followed: they say which epoch is the lowest that it takes, so they are kept apart from all that they
 * vouch for. Verified anew from the pinned root each time: what was changed on the disk is not believed.
 */
export function keyFiles({ files, path, pinnedRoot, ofFeed }: KeyFilesDeps) {
  const chain = async (): Promise<KeyChain | null> => {
    const root = await pinnedRoot();
    if (!root) return null;
    const kept = (await files.read(path, signedKeys))?.keys ?? [];
    return opened(root, kept) ?? opened(root, await ofFeed());
  };
  return {
    /** Null while nothing was followed. */
    chain,
    /** On disk when this resolves. Never goes back to fewer. */
    async keepChain(documents: SignedDocument[]): Promise<void> {
      const root = await pinnedRoot();
      const [before, next] = [await chain(), root && opened(root, documents)];
      if (next && (!before || isNewer(next.keys, before.keys))) await files.write(path, { keys: next.documents });
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
