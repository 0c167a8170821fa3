import type { UpdateTarget } from '@porchlight/contract/updates.ts';

/** What the build of an installer puts in: the target, and the public half of the operator's release key. */
declare const PORCHLIGHT_RELEASE: Release | undefined;

export interface Release {
  version: string;
  target: UpdateTarget;
  /** Ed25519, as base64url. */
  key: string;
  /** Those before it: what lies beside a program that was updated was signed with one of them. */
  former?: string[];
  /** What is started, where that is not the executable itself. */
  program?: string;
}

/** Null for an agent that runs from its sources: it has no operator's file, and is not updated by itself. */
export const release: Release | null = typeof PORCHLIGHT_RELEASE === 'undefined' ? null : PORCHLIGHT_RELEASE;
