import { type After, afterTime } from '../doors.ts';
import { denyStarts, optionsKey } from './deny-starts.ts';
import type { DoorCalls } from './doors/native.ts';
import type { Registry } from './native/registry.ts';

const POLL_MS = 1000;
/** Another program that removes the entries as often as we write them, such as a virus scanner, wins in the end. */
const MAX_RESTORES = 20;

export interface LastingDenialsDeps {
  registry: Registry;
  /** What Windows runs in place of a denied program. */
  command: string;
  watchKeys: DoorCalls['watchKeys'];
  /** Called once when another program goes on removing entries. */
  givenUp: () => void;
  after?: After;
}

/** Denied starts whose entries are written again when somebody removes them. */
export function lastingDenials({ registry, command, watchKeys, givenUp, after = afterTime }: LastingDenialsDeps) {
  let names: string[] = [];
  let restores = 0;
  let watch: ReturnType<DoorCalls['watchKeys']> | null = null;
  let cancelPoll: (() => void) | null = null;
  const poll = () => {
    cancelPoll = after(POLL_MS, poll);
    // Our own changes are announced too, and need none.
    if (!watch?.changed() || restores >= MAX_RESTORES || denyStarts(registry, command, names) === 0) return;
    restores++;
    if (restores === MAX_RESTORES) givenUp();
  };
  return {
    deny(nextNames: string[]): void {
      names = nextNames;
      restores = 0;
      denyStarts(registry, command, names);
      if (watch) return;
      watch = watchKeys([optionsKey]);
      cancelPoll = after(POLL_MS, poll);
    },
    /** Leaves the entries as they are, for a successor or for the caller. */
    end(): void {
      cancelPoll?.();
      watch?.close();
      watch = null;
    },
  };
}
