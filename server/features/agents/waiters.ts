/** Calls that wait for news of a device. */
export interface Waiters {
  /** Starts to wait. Resolves when there may be news, after `seconds`, or at `close`. Start first, then look: news in between is not missed. */
  wait(device: string, seconds: number): { news: Promise<void>; stop(): void };
  /** There may be news for this device; for all with ''. */
  wake(device: string): void;
  close(): void;
}

export function waiters(): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  let closed = false;

  const wakeOne = (device: string) => {
    for (const done of [...(waiting.get(device) ?? [])]) done();
  };
  const wakeAll = () => {
    for (const device of [...waiting.keys()]) wakeOne(device);
  };
  return {
    wait(device, seconds) {
      const set = waiting.get(device) ?? new Set();
      waiting.set(device, set);
      let stop = () => {};
      const news = new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          set.delete(done);
          if (set.size === 0 && waiting.get(device) === set) waiting.delete(device);
          resolve();
        };
        const timer = setTimeout(done, closed ? 0 : seconds * 1000);
        set.add(done);
        stop = done;
      });
      return { news, stop };
    },
    wake: (device) => (device ? wakeOne(device) : wakeAll()),
    close() {
      closed = true;
      wakeAll();
    },
  };
}
