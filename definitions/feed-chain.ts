import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { documentsMax, type KeysPayload, keysPayload, releasePayload } from './feed-format.ts';
import { refuseFeed } from './feed-refused.ts';
import { openDocument } from './signature.ts';

/** A chain of key lists: each list is signed by the root key that the previous list names. */
export interface KeyChain {
  documents: SignedDocument[];
  lists: KeysPayload[];
  keys: KeysPayload;
}

/** A higher epoch, which only the root can sign, means that the server was restored: it outranks any version. */
export function isNewer(candidate: { epoch: number; version: number }, reference: { epoch: number; version: number }): boolean {
  return candidate.epoch > reference.epoch || (candidate.epoch === reference.epoch && candidate.version > reference.version);
}

/**
 * Follows the changes of the root key, from the pinned root on. Each document must be the next version, or any version of a higher epoch.
 * Throws `FeedRefused`.
 */
export function followKeys(pinnedRoot: string, documents: SignedDocument[]): KeyChain {
  const chain: SignedDocument[] = [];
  const lists: KeysPayload[] = [];
  for (const document of documents) {
    const keys = lists.at(-1);
    const nextList: KeysPayload | null = openDocument(document, keys?.root ?? pinnedRoot, keysPayload);
    if (!nextList && !keys) continue;
    if (!nextList) return refuseFeed('keys_successor');
    if (keys && nextList.epoch < keys.epoch) return refuseFeed('keys_epoch');
    if (keys && nextList.epoch === keys.epoch && nextList.version !== keys.version + 1) return refuseFeed('keys_order');
    lists.push(nextList);
    chain.push(document);
  }
  const keys = lists.at(-1);
  return keys ? { documents: chain, lists, keys } : refuseFeed('keys_signature');
}

/** Verifies the stored documents with the new offered ones appended, ignoring expiry. Throws `FeedRefused`. */
export function extendKeys(pinnedRoot: string, stored: SignedDocument[], offered: SignedDocument[]): KeyChain {
  if (offered.reduce((sum, { payload }) => sum + payload.length, 0) > documentsMax) return refuseFeed('too_large');
  const exactly = ({ payload, signature }: SignedDocument) => `${signature} ${payload}`;
  const storedKeys = new Set(stored.map(exactly));
  return followKeys(pinnedRoot, [...stored, ...offered.filter((document) => !storedKeys.has(exactly(document)))]);
}

/** The valid keys for a purpose. Without a list, or where it names no key for the purpose, only `pinnedKey` is valid. */
export function goodKeys(keys: KeysPayload | undefined, purpose: 'policy' | 'link', pinnedKey: string, now: Date): string[] {
  const listedKeys = keys?.[purpose] ?? [];
  if (!listedKeys.length) return [pinnedKey];
  // A key's start is not checked: a slow clock must not leave a computer unprotected.
  return listedKeys.filter(({ until }) => Date.parse(until) > now.getTime()).map(({ public_key }) => public_key);
}

/**
 * The policy key that expires last, if all have expired by `now`. Keys are renewed long before they expire, so the clock is probably fast:
 * this one key is judged by the `issued` time of what it signed. Older keys stay expired, since a thief could sign any date.
 */
export function lastPolicyKey(keys: KeysPayload | undefined, now: Date): { public_key: string; isGoodAt(issued: Date): boolean } | null {
  const lastKey = (keys?.policy ?? []).toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until))[0];
  if (!lastKey || Date.parse(lastKey.until) > now.getTime()) return null;
  return { public_key: lastKey.public_key, isGoodAt: (issued) => issued.getTime() < Date.parse(lastKey.until) };
}

/**
 * The release key in force for a program built with `builtInKey`. The previous release key signs each change and the root lists it, so no single
 * key can change it.
 */
export function releaseKeyAfter(builtInKey: string, lists: KeysPayload[]): string {
  let key = builtInKey;
  for (const statement of lists.flatMap(({ release }) => release)) key = openDocument(statement, key, releasePayload)?.next ?? key;
  return key;
}
