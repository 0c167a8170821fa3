import { createHash } from 'node:crypto';

/** Requests waiting for a change of a device's policy. */
export interface LongPolls {
  /**
   * Resolves with true after a possible change of the device's policy, and with false after `seconds` or `close`. `since`: a change after
   * this moment, before this call, counts too; callers that read the policy before they wait pass the moment before that.
   */
  wait(device: string, seconds: number, knownVersion?: number, since?: number): { changed: Promise<boolean>; stop(): void };
  /** The moment to pass as `since`. */
  moment(): number;
  wake(device: string): void;
  /** Wakes every device in its turn after new definitions were published. */
  publish(): void;
  /** Whether the device's turn to get the newest definitions has come. */
  isItsTurn(device: string): boolean;
  /** After a lost database connection, wakes the devices that `changedOf` returns: those whose known policy version is outdated. */
  catchUp(changedOf: (known: Map<string, number>) => Promise<string[]>): Promise<void>;
  /** How many devices wait. */
  count(): number;
  devices(): Iterable<string>;
  close(): void;
}

/** New definitions wake devices this far apart, all within `maxSpreadMs`. */
const wakeSpacingMs = 10;
const maxSpreadMs = 50_000;
const devicesPerQuery = 1_000;
/** In milliseconds: longer than reading a policy takes. */
const rememberedMs = 20_000;

export function newLongPolls(now: () => number): LongPolls {
  const waiting = new Map<string, Map<(changed: boolean) => void, number>>();
  /** When devices were woken, the oldest first. */
  const recentChanges = new Map<string, number>();
  /** When all devices may have changed, because events were lost. */
  let lostEvents = Number.NEGATIVE_INFINITY;
  const laterTimers = new Set<NodeJS.Timeout>();
  let published = { at: 0, within: 0 };
  let closed = false;

  const finishAll = (device: string, changed: boolean) => {
    for (const resolveCall of [...(waiting.get(device)?.keys() ?? [])]) resolveCall(changed);
  };
  const wake = (device: string) => {
    // Deleted first, so that the device becomes the newest.
    recentChanges.delete(device);
    recentChanges.set(device, now());
    for (const [changedDevice, time] of recentChanges) {
      if (now() - time <= rememberedMs) break;
      recentChanges.delete(changedDevice);
    }
    finishAll(device, true);
  };
  const hasChangedSince = (device: string, since: number) =>
    lostEvents >= since || (recentChanges.get(device) ?? Number.NEGATIVE_INFINITY) >= since;
  const turnOf = (device: string) => fractionOf(device) * published.within;

  return {
    wait(device, seconds, knownVersion = 0, since = Number.POSITIVE_INFINITY) {
      if (hasChangedSince(device, since)) return { changed: Promise.resolve(true), stop() {} };
      const knownByCall = waiting.get(device) ?? new Map<(changed: boolean) => void, number>();
      waiting.set(device, knownByCall);
      let stop = () => {};
      const changed = new Promise<boolean>((resolve) => {
        const finish = (isChanged: boolean) => {
          clearTimeout(timer);
          knownByCall.delete(finish);
          if (knownByCall.size === 0 && waiting.get(device) === knownByCall) waiting.delete(device);
          resolve(isChanged);
        };
        const turn = published.at + turnOf(device) - now();
        const turnComes = turn > 0 && turn <= seconds * 1000;
        const timer = setTimeout(finish, closed ? 0 : turnComes ? turn : seconds * 1000, turnComes && !closed);
        knownByCall.set(finish, knownVersion);
        stop = () => finish(false);
      });
      return { changed, stop };
    },
    moment: now,
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
      lostEvents = now();
      const knownVersions = [...waiting].map(([device, knownByCall]) => [device, Math.min(...knownByCall.values())] as const);
      for (let offset = 0; offset < knownVersions.length; offset += devicesPerQuery) {
        for (const device of await changedOf(new Map(knownVersions.slice(offset, offset + devicesPerQuery)))) wake(device);
      }
    },
    count: () => waiting.size,
    devices: () => waiting.keys(),
    close() {
      closed = true;
      for (const timer of laterTimers) clearTimeout(timer);
      for (const device of [...waiting.keys()]) finishAll(device, false);
    },
  };
}

/** The device's position in the order of waking, from 0 to 1, always the same. */
function fractionOf(device: string): number {
  return createHash('sha256').update(device).digest().readUInt32BE() / 2 ** 32;
}
