import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SignedDocument, signedFeed } from '@porchlight/contract/shapes.ts';
import { checkPart, type OpenFeed, partOf, readCataloguePart, reopenFeed } from '@porchlight/definitions/feed.ts';
import type { FeedPart } from '@porchlight/definitions/feed-format.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { privateFolder, readWhole, removeFile, writeWhole } from './files.ts';

/** The bytes that a signed set names. */
export interface FeedParts {
  catalogue: Uint8Array;
  /** The compact list of sites; null where the set has none. */
  sites: Uint8Array | null;
}

/** What was verified and is kept. `parts`: null when they are damaged; what was signed still says which version we had. */
export interface HeldFeed extends OpenFeed {
  parts: FeedParts | null;
  definitions: DefinitionSet | null;
}

/**
 * The last good definitions on the disk: each part under its own SHA-256, and one file that names them, which is written last. So a
 * new set takes the place of the old one in one step, and a crash before it leaves the old one whole.
 */
export function feedFiles(folder: string, pinnedRoot: () => Promise<string | null>) {
  const index = join(folder, 'feed.json');
  const fileOf = ({ sha256 }: FeedPart) => join(folder, `${sha256}.part`);
  const read = async (part: FeedPart): Promise<Uint8Array> => checkPart(await readFile(fileOf(part)), part);

  return {
    /** The lists of keys that came along, as they lie there. */
    lists: async (): Promise<SignedDocument[]> => (await readWhole(index, signedFeed))?.keys ?? [],

    /** Verified anew each time: what was changed on the disk is not believed. Null when there is nothing, or nothing of our server. */
    async held(): Promise<HeldFeed | null> {
      const [kept, root] = [await readWhole(index, signedFeed), await pinnedRoot()];
      if (!kept || !root) return null;
      let open: OpenFeed;
      try {
        open = reopenFeed(root, kept);
      } catch {
        return null;
      }
      const { catalogue, sites } = open.set;
      try {
        const parts = { catalogue: await read(catalogue), sites: sites && (await read(sites)) };
        return { ...open, parts, definitions: readCataloguePart(parts.catalogue, open.set) };
      } catch {
        return { ...open, parts: null, definitions: null };
      }
    },

    /** On disk, whole, when this resolves. */
    async keep({ feed, set }: OpenFeed, { catalogue, sites }: FeedParts): Promise<void> {
      await privateFolder(folder);
      const named = [set.catalogue, ...(set.sites ? [set.sites] : [])].map(fileOf);
      for (const bytes of [catalogue, ...(sites ? [sites] : [])]) {
        const part = partOf(bytes);
        const intact = await read(part).catch(() => null);
        if (!intact) await writeWhole(fileOf(part), bytes);
      }
      await writeWhole(index, JSON.stringify(feed));
      const others = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => /\.part(\..*\.tmp)?$/.test(path));
      for (const path of others) if (!named.includes(path)) await removeFile(path);
    },
  };
}
