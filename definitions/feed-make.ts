import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import type { z } from 'zod';
import { partOf } from './feed.ts';
import { cataloguePart, type GoodKey, keysPayload, type releasePayload, setPayload } from './feed-format.ts';
import type { Definition } from './format.ts';
import { type KeyPair, signDocument } from './signature.ts';

/** How the documents of a feed are made, for whoever has the keys: the server, the operator's command, a test. */

const day = 86_400_000;

/** In milliseconds. */
export const lasts = {
  /** A list of keys, and the keys on it. */
  keys: 400 * day,
  /** A set is signed anew long before it ends. */
  set: 30 * day,
};

export interface KeysToSign {
  epoch?: number;
  version: number;
  issued: Date;
  /** Signs the next list. */
  root: string;
  /** Public keys that are good from now on. */
  signing: string[];
  policy?: GoodKey[];
  link?: GoodKey[];
  release?: SignedDocument[];
}

/** From this moment, and as long as the list that names it. */
export function goodFrom(public_key: string, issued: Date): GoodKey {
  return { public_key, from: issued.toISOString(), until: new Date(issued.getTime() + lasts.keys).toISOString() };
}

/** `signer`: the root that agents know already. */
export function signKeys({ issued, signing, ...list }: KeysToSign, signer: KeyPair): SignedDocument {
  const payload: z.input<typeof keysPayload> = {
    kind: 'porchlight-keys',
    ...list,
    issued: issued.toISOString(),
    expires: new Date(issued.getTime() + lasts.keys).toISOString(),
    signing: signing.map((public_key) => goodFrom(public_key, issued)),
  };
  return signDocument(keysPayload.parse(payload), signer);
}

/** The operator's word that `next` takes the place of the release key that signs it. */
export function signReleaseKey(next: string, issued: Date, signer: KeyPair): SignedDocument {
  const payload: z.infer<typeof releasePayload> = {
    kind: 'porchlight-release',
    from: signer.public_key,
    next,
    issued: issued.toISOString(),
  };
  return signDocument(payload, signer);
}

export interface SetToSign {
  epoch?: number;
  version: number;
  keys_version: number;
  issued: Date;
  catalogue: Uint8Array;
  sites: Uint8Array | null;
  /** Each with the SHA-256 of the list that it changes. */
  deltas?: { from: string; bytes: Uint8Array }[];
}

/** Throws when a part is larger than agents take. */
export function signSet({ catalogue, sites, deltas = [], issued, ...versions }: SetToSign, signer: KeyPair): SignedDocument {
  const payload: z.input<typeof setPayload> = {
    kind: 'porchlight-set',
    ...versions,
    issued: issued.toISOString(),
    expires: new Date(issued.getTime() + lasts.set).toISOString(),
    catalogue: partOf(catalogue),
    sites: sites && partOf(sites),
    deltas: deltas.map(({ from, bytes }) => ({ from, ...partOf(bytes) })),
  };
  return signDocument(setPayload.parse(payload), signer);
}

/** The bytes of a catalogue: always the same for the same families. Throws when one is not as the format says. */
export function catalogueBytes(definitions: Definition[]): Uint8Array {
  return Buffer.from(JSON.stringify(cataloguePart.parse({ definitions })), 'utf8');
}
