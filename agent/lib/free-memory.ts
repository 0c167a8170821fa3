const DELAY_MS = 5000;

/** Collects garbage after large data was loaded, because an idle process rarely does. Does nothing without `--expose-gc`. */
export function memoryRelease(): { soon(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => globalThis.gc?.(), DELAY_MS).unref();
    },
  };
}
