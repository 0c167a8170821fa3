import type { Release } from '@porchlight/contract/updates.ts';

/** What the build of an installer puts in: the target, and the public half of the operator's release key. */
declare const PORCHLIGHT_RELEASE: Release | undefined;

/** Null for an agent that runs from its sources: it has no operator's file, and is not updated by itself. */
export const release: Release | null = typeof PORCHLIGHT_RELEASE === 'undefined' ? null : PORCHLIGHT_RELEASE;
