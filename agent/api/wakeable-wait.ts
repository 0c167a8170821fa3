export interface WakeableWait {
  /** Resolves after `ms` (null: never) or when `wake` is called; at once if `wake` was called since the last wait. */
  wait(ms: number | null): Promise<void>;
  wake(): void;
}

export function wakeableWait(): WakeableWait {
  let woken = false;
  let finishWait: (() => void) | null = null;
  return {
    async wait(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = ms === null ? undefined : setTimeout(resolve, ms);
          finishWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      finishWait = null;
      woken = false;
    },
    wake() {
      woken = true;
      finishWait?.();
    },
  };
}
