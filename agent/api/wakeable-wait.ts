export interface Pause {
  /** Resolves after `ms` (null: never by itself), or as soon as `wake` is called; at once when it was called since the last wait. */
  wait(ms: number | null): Promise<void>;
  wake(): void;
}

export function pause(): Pause {
  let woken = false;
  let done: (() => void) | null = null;
  return {
    async wait(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = ms === null ? undefined : setTimeout(resolve, ms);
          done = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      done = null;
      woken = false;
    },
    wake() {
      woken = true;
      done?.();
    },
  };
}
