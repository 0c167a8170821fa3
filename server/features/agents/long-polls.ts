import { createHash } from 'node:crypto';

/** Calls that wait for a change of a device's policy. */
export interface LongPolls {
  /**
   * Starts to wait. Resolves when something may have changed, after `seconds`, or at `close`. Start before you read, so that no change is missed.
   * `known`: the version of the policy that the device has.
   */
  wait(device: string, seconds: number, known?: number): { news: Promise<void>; stop(): void };
  /** Wakes the calls of a device whose policy may have changed. */
  wake(device: string): void;
  /** New definitions were published: wakes every device when its turn comes. */
  publish(): void;
  /** May this device have what was published last, or has its turn not come yet? */
  isItsTurn(device: string): boolean;
  /** Wakes devices after events may have been missed: `changedOf` answers which of them, by the versions that they know, have a newer policy. */
  catchUp(changedOf: (known: Map<string, number>) => Promise<string[]>): Promise<void>;
  close(): void;
}

/** In milliseconds: so far apart are two devices that are woken for new definitions, and so far the first and the last of many. */
const apart = 10;
const longest = 50_000;
/** How many devices are asked about in one statement. */
const at_once = 1_000;

/** `now`: milliseconds. */
export function newLongPolls(now: () => number): LongPolls {
  const waiting = new Map<string, Map<() => void, number>>();
  const later = new Set<NodeJS.Timeout>();
  let published = { at: 0, within: 0 };
  let closed = false;

  const wake = (device: string) => {
    for (const done of [...(waiting.get(device)?.keys() ?? [])]) done();
  };
  /** In milliseconds from the publication on. */
  const turnOf = (device: string) => placeOf(device) * published.within;

  return {
    wait(device, seconds, known = 0) {
      const calls = waiting.get(device) ?? new Map<() => void, number>();
      waiting.set(device, calls);
      let stop = () => {};
      const news = new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          calls.delete(done);
          if (calls.size === 0 && waiting.get(device) === calls) waiting.delete(device);
          resolve();
        };
        const turn = published.at + turnOf(device) - now();
        const longest_wait = turn > 0 ? Math.min(seconds * 1000, turn) : seconds * 1000;
        const timer = setTimeout(done, closed ? 0 : longest_wait);
        calls.set(done, known);
        stop = done;
      });
      return { news, stop };
    },
    wake,
    publish() {
      published = { at: now(), within: Math.min(longest, waiting.size * apart) };
      for (const timer of later) clearTimeout(timer);
      later.clear();
      for (const device of waiting.keys()) {
        const timer = setTimeout(() => {
          later.delete(timer);
          wake(device);
        }, turnOf(device));
        later.add(timer.unref());
      }
    },
    // A timer may be a millisecond early.
    isItsTurn: (device) => now() - published.at >= Math.floor(turnOf(device)) - 1,
    async catchUp(changedOf) {
      const known = [...waiting].map(([device, calls]) => [device, Math.min(...calls.values())] as const);
      for (let from = 0; from < known.length; from += at_once) {
        for (const device of await changedOf(new Map(known.slice(from, from + at_once)))) wake(device);
      }
    },
    close() {
      closed = true;
      for (const timer of later) clearTimeout(timer);
      for (const device of [...waiting.keys()]) wake(device);
    },
  };
}

/** The place of a device among all, from 0 to 1: the same for every publication and in every process. */
function placeOf(device: string): number {
  return createHash('sha256').update(device).digest().readUInt32BE() / 2 ** 32;
}
