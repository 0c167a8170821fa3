import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedFeed } from '@porchlight/contract/shapes.ts';
import { checkPart, type OpenFeed, partOf, readCataloguePart, reopenFeed } from '@porchlight/definitions/feed.ts';
import type { FeedPart } from '@porchlight/definitions/feed-format.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import { privateFolder, readWhole, removeFile, writeWhole } from './files.ts';

export interface FeedContent {
  catalogue: Uint8Array;
  sites: Uint8Array | null;
}

/** A verified feed. `content`: null when damaged; the signed set still proves the version. */
export interface StoredFeed extends OpenFeed {
  content: FeedContent | null;
  definitions: DefinitionSet | null;
}

/**
 * The current definitions: each part in a file named by its SHA-256, and an index file that is written last, so that a new set replaces the
 * old one atomically.
 */
export function feedFiles(folder: string, pinnedRoot: () => Promise<string | null>) {
  const index = join(folder, 'feed.json');
  const fileOf = ({ sha256 }: FeedPart) => join(folder, `${sha256}.part`);
  const read = async (part: FeedPart): Promise<Uint8Array> => checkPart(await readFile(fileOf(part)), part);

  return {
    /** Verifies the feed at each read, because the disk may have been changed. Null when it is missing or invalid. */
    async load(): Promise<StoredFeed | null> {
      const [signed, root] = [await readWhole(index, signedFeed), await pinnedRoot()];
      if (!signed || !root) return null;
      let open: OpenFeed;
      try {
        open = reopenFeed(root, signed);
      } catch {
        return null;
      }
      const { catalogue, sites } = open.set;
      try {
        const content = { catalogue: await read(catalogue), sites: sites && (await read(sites)) };
        return { ...open, content, definitions: readCataloguePart(content.catalogue, open.set) };
      } catch {
        return { ...open, content: null, definitions: null };
      }
    },

    async save({ feed, set }: OpenFeed, { catalogue, sites }: FeedContent): Promise<void> {
      await privateFolder(folder);
      const namedPaths = [set.catalogue, ...(set.sites ? [set.sites] : [])].map(fileOf);
      for (const bytes of [catalogue, ...(sites ? [sites] : [])]) {
        const part = partOf(bytes);
        const intact = await read(part).catch(() => null);
        if (!intact) await writeWhole(fileOf(part), bytes);
      }
      await writeWhole(index, JSON.stringify(feed));
      const isPart = (name: string) => name.endsWith('.part') || (name.includes('.part.') && name.endsWith('.tmp'));
      const partPaths = (await readdir(folder)).filter(isPart).map((name) => join(folder, name));
      for (const path of partPaths) if (!namedPaths.includes(path)) await removeFile(path);
    },
  };
}
