import type { Release } from '@porchlight/contract/updates.ts';

/** Set by the build: the target, and the public half of the release key. */
declare const PORCHLIGHT_RELEASE: Release | undefined;

/** Null for an agent that runs from source: without an operator's file, it does not update itself. */
export const release: Release | null = typeof PORCHLIGHT_RELEASE === 'undefined' ? null : PORCHLIGHT_RELEASE;
