/** In milliseconds: until what was begun with what was loaded is over. */
const later = 5000;

/**
 * Gives memory back to the system that was needed only to read what is in force: a list, its signatures, a catalogue as text. Left alone the engine
 * keeps it for hours, since an agent at rest hardly makes anything that would let it look. `more`: what a system can do beside that.
 * Where the engine does not let itself be asked (an agent that runs from its sources) that part falls away.
 */
export function givingBack(more: () => Promise<void> = async () => {}): { soon(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        globalThis.gc?.();
        void more().catch(() => {});
      }, later).unref();
    },
  };
}
