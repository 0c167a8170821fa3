import { createHash } from 'node:crypto';

/** Requests waiting for a change of a device's policy. */
export interface LongPolls {
  /**
   * Resolves after a possible change of the device's policy, `seconds` or `close`. Callers read the policy
   * afterwards, so that they miss no change.
   */
  wait(device: string, seconds: number, knownVersion?: number): { changed: Promise<void>; stop(): void };
  wake(device: string): void;
  /** Wakes every device in its turn after new definitions were published. */
  publish(): void;
  /** Whether the device's turn to get the newest definitions has come. */
  isItsTurn(device: string): boolean;
  /** After a lost database connection, wakes the devices that `changedOf` returns: those whose known policy version is outdated. */
  catchUp(changedOf: (known: Map<string, number>) => Promise<string[]>): Promise<void>;
  /** How many devices wait. */
  count(): number;
  close(): void;
}

/** New definitions wake devices this far apart, all within `maxSpreadMs`. */
const wakeSpacingMs = 10;
const maxSpreadMs = 50_000;
const devicesPerQuery = 1_000;

export function newLongPolls(now: () => number): LongPolls {
  const waiting = new Map<string, Map<() => void, number>>();
  const laterTimers = new Set<NodeJS.Timeout>();
  let published = { at: 0, within: 0 };
  let closed = false;

  const wake = (device: string) => {
    for (const resolveCall of [...(waiting.get(device)?.keys() ?? [])]) resolveCall();
  };
  const turnOf = (device: string) => fractionOf(device) * published.within;

  return {
    wait(device, seconds, knownVersion = 0) {
      const knownByCall = waiting.get(device) ?? new Map<() => void, number>();
      waiting.set(device, knownByCall);
      let stop = () => {};
      const changed = new Promise<void>((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          knownByCall.delete(finish);
          if (knownByCall.size === 0 && waiting.get(device) === knownByCall) waiting.delete(device);
          resolve();
        };
        const turn = published.at + turnOf(device) - now();
        const longest_wait = turn > 0 ? Math.min(seconds * 1000, turn) : seconds * 1000;
        const timer = setTimeout(finish, closed ? 0 : longest_wait);
        knownByCall.set(finish, knownVersion);
        stop = finish;
      });
      return { changed, stop };
    },
    wake,
    publish() {
      published = { at: now(), within: Math.min(maxSpreadMs, waiting.size * wakeSpacingMs) };
      for (const timer of laterTimers) clearTimeout(timer);
      laterTimers.clear();
      for (const device of waiting.keys()) {
        const timer = setTimeout(() => {
          laterTimers.delete(timer);
          wake(device);
        }, turnOf(device));
        laterTimers.add(timer.unref());
      }
    },
    // One millisecond less, because a timer may fire early.
    isItsTurn: (device) => now() - published.at >= Math.floor(turnOf(device)) - 1,
    async catchUp(changedOf) {
      const knownVersions = [...waiting].map(([device, knownByCall]) => [device, Math.min(...knownByCall.values())] as const);
      for (let offset = 0; offset < knownVersions.length; offset += devicesPerQuery) {
        for (const device of await changedOf(new Map(knownVersions.slice(offset, offset + devicesPerQuery)))) wake(device);
      }
    },
    count: () => waiting.size,
    close() {
      closed = true;
      for (const timer of laterTimers) clearTimeout(timer);
      for (const device of [...waiting.keys()]) wake(device);
    },
  };
}

/** The device's position in the order of waking, from 0 to 1, always the same. */
function fractionOf(device: string): number {
  return createHash('sha256').update(device).digest().readUInt32BE() / 2 ** 32;
}
