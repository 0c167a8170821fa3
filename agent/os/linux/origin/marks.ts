import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFile } from '../../../lib/replace-file.ts';
import { hostOf, type Origin } from '../../origin.ts';
import type { Attributes } from './attributes.ts';
import type { OpenFile } from './open-file.ts';

/** Only root can read or change it. */
const OWN_ATTRIBUTE = 'trusted.porchlight.origin';
/** Set by some download programs. Users can change them, so they only add suspicion. */
const ADDRESS_ATTRIBUTES = ['user.xdg.origin.url', 'user.xdg.referrer.url'];
const MAX_STORED = 10_000;

const storedMarks = z.array(z.string().max(100)).max(MAX_STORED);

export interface Marks {
  /** Marks the file as one from the internet. */
  add(file: OpenFile): void;
  /** Null without a mark. */
  read(file: OpenFile): Origin | null;
  /** Resolves when all marks are on the disk. */
  saved(): Promise<void>;
}

export interface MarksDeps {
  /** Null where attributes are unavailable. */
  attributes: Attributes | null;
  /** For file systems without attributes; in a folder that only the agent can change. */
  stateFile: string;
  failed: (why: unknown) => void;
}

export function fileMarks({ attributes, stateFile, failed }: MarksDeps): Marks {
  /** Ids of `OpenFile`, the oldest first. */
  const storedIds = readStored(stateFile, failed);
  let isChanged = false;
  let writing: Promise<void> | null = null;
  const write = async () => {
    while (isChanged) {
      isChanged = false;
      await replaceFile(stateFile, JSON.stringify([...storedIds])).catch(failed);
    }
    writing = null;
  };
  return {
    add(file) {
      if (attributes?.set(file.descriptor, OWN_ATTRIBUTE, 'internet') || storedIds.has(file.id)) return;
      storedIds.add(file.id);
      for (const id of storedIds) {
        if (storedIds.size <= MAX_STORED) break;
        storedIds.delete(id);
      }
      isChanged = true;
      writing ??= write();
    },
    read(file) {
      const addresses = ADDRESS_ATTRIBUTES.flatMap((name) => attributes?.get(file.descriptor, name) ?? []);
      const isMarked = storedIds.has(file.id) || attributes?.get(file.descriptor, OWN_ATTRIBUTE) != null;
      const host = addresses.map(hostOf).find((name) => name !== null) ?? null;
      return isMarked || host !== null ? { from: 'internet', host } : null;
    },
    saved: () => writing ?? Promise.resolve(),
  };
}

function readStored(path: string, failed: (why: unknown) => void): Set<string> {
  try {
    return new Set(storedMarks.parse(JSON.parse(readFileSync(path, 'utf8'))));
  } catch (err) {
    // Damaged marks are lost: the computer remains usable.
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') failed(err);
    return new Set();
  }
}
