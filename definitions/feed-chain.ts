import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { documentsMax, type KeysPayload, keysPayload, releasePayload } from './feed-format.ts';
import { refuseFeed } from './feed-refused.ts';
import { openDocument } from './signature.ts';

/** Lists of keys that were verified, each by the root that the one before it names, and what they say. */
export interface KeyChain {
  /** From the pinned root on; the last one is in force. */
  documents: SignedDocument[];
  lists: KeysPayload[];
  keys: KeysPayload;
}

/** Is the first one newer? A higher epoch counts more than any version: it says that the server was restored, and only the root can say so. */
export function isNewer(one: { epoch: number; version: number }, other: { epoch: number; version: number }): boolean {
  return one.epoch > other.epoch || (one.epoch === other.epoch && one.version > other.version);
}

/**
 * Follows the root through its changes. What came before the pinned root is passed over; from there on each step must fit to the one before:
 * the next version, or any version of a higher epoch. Throws `FeedRefused`.
 */
export function followKeys(pinned: string, documents: SignedDocument[]): KeyChain {
  const chain: SignedDocument[] = [];
  const lists: KeysPayload[] = [];
  for (const document of documents) {
    const keys = lists.at(-1);
    const next: KeysPayload | null = openDocument(document, keys?.root ?? pinned, keysPayload);
    if (!next && !keys) continue;
    if (!next) return refuseFeed('keys_signature');
    if (keys && next.epoch < keys.epoch) return refuseFeed('keys_epoch');
    if (keys && next.epoch === keys.epoch && next.version !== keys.version + 1) return refuseFeed('keys_order');
    lists.push(next);
    chain.push(document);
  }
  const keys = lists.at(-1);
  return keys ? { documents: chain, lists, keys } : refuseFeed('keys_signature');
}

/** What is held, and after it whatever is offered and not held yet. Time does not count. Throws `FeedRefused`. */
export function extendKeys(pinned: string, held: SignedDocument[], offered: SignedDocument[]): KeyChain {
  if (offered.reduce((sum, { payload }) => sum + payload.length, 0) > documentsMax) return refuseFeed('too_large');
  const exactly = ({ payload, signature }: SignedDocument) => `${signature} ${payload}`;
  const known = new Set(held.map(exactly));
  return followKeys(pinned, [...held, ...offered.filter((document) => !known.has(exactly(document)))]);
}

/** The keys of one purpose that are good now. A list from before keys had a purpose names none: then `pinned` counts. */
export function goodKeys(keys: KeysPayload | undefined, purpose: 'policy' | 'link', pinned: string, now: Date): string[] {
  const listed = keys?.[purpose] ?? [];
  if (!listed.length) return [pinned];
  // A clock that is behind must not keep a computer from being protected: only the end counts against a key.
  return listed.filter(({ until }) => Date.parse(until) > now.getTime()).map(({ public_key }) => public_key);
}

/**
 * The key that ends last, where all keys for policies are over by `now`. Keys are renewed long before they end, so that the clock is ahead: then the one key
 * is judged by when that which it signed says that it was `issued`. Those before it stay over, since whoever has one could say any day. Null otherwise.
 */
export function lastPolicyKey(keys: KeysPayload | undefined, now: Date): { public_key: string; isGoodAt(issued: Date): boolean } | null {
  const last = (keys?.policy ?? []).toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until))[0];
  if (!last || Date.parse(last.until) > now.getTime()) return null;
  return { public_key: last.public_key, isGoodAt: (issued) => issued.getTime() < Date.parse(last.until) };
}

/**
 * The release key in force for a program that was built with `built`. Each list may name the next one, and its statement counts only when the key
 * before it has signed it: neither who has the root alone nor who has the release key alone can change it.
 */
export function releaseKeyAfter(built: string, lists: KeysPayload[]): string {
  let key = built;
  for (const statement of lists.flatMap(({ release }) => release)) key = openDocument(statement, key, releasePayload)?.next ?? key;
  return key;
}
