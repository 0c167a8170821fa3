const DELAY_MS = 5000;

/**
 * Returns memory to the system after loading large data, because an idle process rarely collects garbage. `more`: additional work of the
 * operating system. Without `--expose-gc` only `more` runs.
 */
export function memoryRelease(more: () => Promise<void> = async () => {}): { soon(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        globalThis.gc?.();
        void more().catch(() => {});
      }, DELAY_MS).unref();
    },
  };
}
