import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { partOf } from './feed.ts';
import { cataloguePart, type KeysPayload, keysPayload, type SetPayload, setPayload } from './feed-format.ts';
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
  version: number;
  issued: Date;
  /** Signs the next list. */
  root: string;
  /** Public keys that are good from now on. */
  signing: string[];
}

/** `signer`: the root that agents know already. */
export function signKeys({ version, issued, root, signing }: KeysToSign, signer: KeyPair): SignedDocument {
  const until = new Date(issued.getTime() + lasts.keys).toISOString();
  const payload: KeysPayload = {
    kind: 'porchlight-keys',
    version,
    issued: issued.toISOString(),
    expires: until,
    root,
    signing: signing.map((public_key) => ({ public_key, from: issued.toISOString(), until })),
  };
  return signDocument(keysPayload.parse(payload), signer);
}

export interface SetToSign {
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
  const payload: SetPayload = {
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
