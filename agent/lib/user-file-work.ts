import type { UserFileSource } from '@porchlight/contract/agent-events.ts';

/** Runs work that never waits. Null when it is left out, because the event loop once stopped at it. */
export type Guarded = <T>(work: () => T) => T | null;

/** For work on the files of one source that one user can write. */
export type GuardUserFiles = (source: UserFileSource, user: string) => Guarded;

/** For tests, and where no other user may write the files. */
export const unguarded: GuardUserFiles = () => (work) => work();
