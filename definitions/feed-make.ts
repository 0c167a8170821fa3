import { gzipSync } from 'node:zlib';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { day } from '@porchlight/contract/time.ts';
import type { z } from 'zod';
import { compileCommands } from './commands/patterns.ts';
import { partOf } from './feed.ts';
import { type GoodKey, keysPayload, type releasePayload, setPayload } from './feed-format.ts';
import { cataloguePart, type Recognition, recognition_format } from './recognition.ts';
import { type KeyPair, signDocument } from './signature.ts';

/** Validity in milliseconds. */
export const validityMs = {
  keys: 400 * day,
  /** A set is signed again long before it expires. */
  set: 30 * day,
};

export interface KeysToSign {
  /** 1 when left out, which no restore has raised yet. */
  epoch?: number;
  version: number;
  issued: Date;
  /** The key that signs the next key list. */
  root: string;
  signing: string[];
  policy?: GoodKey[];
  link?: GoodKey[];
  release?: SignedDocument[];
}

export function goodFrom(public_key: string, issued: Date): GoodKey {
  return { public_key, from: issued.toISOString(), until: new Date(issued.getTime() + validityMs.keys).toISOString() };
}

/** Signs a key list. `signer`: a root key that agents already trust. */
export function signKeys({ issued, signing, ...list }: KeysToSign, signer: KeyPair): SignedDocument {
  const payload: z.input<typeof keysPayload> = {
    kind: 'porchlight-keys',
    ...{ epoch: 1, policy: [], link: [], release: [] },
    ...list,
    issued: issued.toISOString(),
    expires: new Date(issued.getTime() + validityMs.keys).toISOString(),
    signing: signing.map((public_key) => goodFrom(public_key, issued)),
  };
  return signDocument(keysPayload.parse(payload), signer);
}

export function signReleaseKey(nextKey: string, issued: Date, signer: KeyPair): SignedDocument {
  const payload: z.infer<typeof releasePayload> = {
    kind: 'porchlight-release',
    from: signer.public_key,
    next: nextKey,
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
  /** `from`: SHA-256 of the older site list. */
  deltas?: { from: string; bytes: Uint8Array }[];
}

/** Throws when a part is larger than agents accept. */
export function signSet({ catalogue, sites, deltas = [], issued, ...versions }: SetToSign, signer: KeyPair): SignedDocument {
  const payload: z.input<typeof setPayload> = {
    kind: 'porchlight-set',
    epoch: 1,
    ...versions,
    issued: issued.toISOString(),
    expires: new Date(issued.getTime() + validityMs.set).toISOString(),
    catalogue: partOf(catalogue),
    sites: sites && partOf(sites),
    deltas: deltas.map(({ from, bytes }) => ({ from, ...partOf(bytes) })),
  };
  return signDocument(setPayload.parse(payload), signer);
}

/** Nobody changes recognition once it is made, and packing what ships takes longer than all else at a server's start. */
const packed = new WeakMap<Recognition, Uint8Array>();

/** JSON in gzip, a sixth of its length. The same recognition gives the same bytes. Throws for what is malformed, such as a pattern of commands that no agent could read. */
export function catalogueBytes(recognition: Recognition): Uint8Array {
  const known = packed.get(recognition);
  if (known) return known;
  const part = cataloguePart.parse({ format: recognition_format, ...recognition });
  compileCommands(part.commands, (problem) => {
    throw problem;
  });
  const bytes = gzipSync(JSON.stringify(part));
  packed.set(recognition, bytes);
  return bytes;
}
