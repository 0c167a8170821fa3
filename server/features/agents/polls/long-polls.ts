import { createHash } from 'node:crypto';

/** A request that waits. One object, without closures and a Promise, because a server has very many of them. */
export interface Waiter {
  device: string;
  known_version: number;
  /** Of `LongPolls`. */
  timer: NodeJS.Timeout | null;
  /** Called once, at the end of the wait. `changed`: whether the device's policy or the definitions may have changed. */
  finish(changed: boolean): void;
}

/** Requests waiting for a change of a device's policy. */
export interface LongPolls {
  /**
   * Calls `finish` after a possible change, after `seconds`, or after `close`. Returns false, and never calls it, if a change happened since `since`,
   * the moment before the caller read the policy.
   */
  add(waiter: Waiter, seconds: number, since: number): boolean;
  /** Ends the wait without a change; does nothing after its end. */
  stop(waiter: Waiter): void;
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
  /** Most devices have one request. */
  const waiting = new Map<string, Waiter | Set<Waiter>>();
  /** When devices were woken, the oldest first. */
  const recentChanges = new Map<string, number>();
  /** When all devices may have changed, because events were lost. */
  let lostEvents = Number.NEGATIVE_INFINITY;
  const laterTimers = new Set<NodeJS.Timeout>();
  let published = { at: Number.NEGATIVE_INFINITY, within: 0 };
  let closed = false;

  const waitersOf = (device: string): Waiter[] => {
    const entry = waiting.get(device);
    if (entry === undefined) return [];
    return entry instanceof Set ? [...entry] : [entry];
  };
  /** Whether it waited. */
  const remove = (waiter: Waiter): boolean => {
    const entry = waiting.get(waiter.device);
    if (!(entry instanceof Set)) return entry === waiter && waiting.delete(waiter.device);
    const wasWaiting = entry.delete(waiter);
    if (entry.size === 0) waiting.delete(waiter.device);
    return wasWaiting;
  };
  const finish = (waiter: Waiter, changed: boolean) => {
    if (!remove(waiter)) return;
    clearTimeout(waiter.timer ?? undefined);
    waiter.finish(changed);
  };
  const finishAll = (device: string, changed: boolean) => {
    for (const waiter of waitersOf(device)) finish(waiter, changed);
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
  const turnOf = (device: string) => (published.within === 0 ? 0 : fractionOf(device) * published.within);
  const add = (waiter: Waiter, seconds: number, since: number): boolean => {
    const { device } = waiter;
    if (hasChangedSince(device, since)) return false;
    const entry = waiting.get(device);
    if (entry === undefined) waiting.set(device, waiter);
    else waiting.set(device, entry instanceof Set ? entry.add(waiter) : new Set([entry, waiter]));
    const turn = published.at + turnOf(device) - now();
    // What was published while the caller read is not known to it, even if its turn is over.
    const turnComes = (turn > 0 || published.at >= since) && turn <= seconds * 1000;
    waiter.timer = setTimeout(finish, closed ? 0 : turnComes ? Math.max(0, turn) : seconds * 1000, waiter, turnComes && !closed);
    return true;
  };

  return {
    add,
    stop: (waiter) => finish(waiter, false),
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
      const knownVersions = [...waiting.keys()].map(
        (device) => [device, Math.min(...waitersOf(device).map(({ known_version }) => known_version))] as const,
      );
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
