import { type Loopback, type LoopbackDeps, startLoopback } from './server.ts';

/** In milliseconds: how often a port that is not to be had is tried again. */
const tryEvery = 30_000;

export interface Listening {
  /** Where the dashboard's calls are answered; null while that port is not to be had. */
  port(): number | null;
  /** Where the window is answered: on any port while that one is not to be had. Null when there is none at all. */
  windowPort(): number | null;
  close(): Promise<void>;
}

/**
 * Answers on the port that the dashboard knows as soon as it is to be had. Until then the window has one of its own, where nobody but the window is
 * answered: whoever takes the port, and be it for good, must not take the calm screen away as well. `had`: the port was not to be had, and now is.
 */
export async function keepListening(parts: LoopbackDeps & { had: () => void }): Promise<Listening> {
  let known = await startLoopback(parts);
  let own: Loopback | null = null;
  let closed = false;
  const forWindow = async () => {
    own ??= await startLoopback({ ...parts, port: 0, origins: () => [] });
  };
  const again = async () => {
    const found = await startLoopback(parts);
    if (closed) return found?.close();
    known = found;
    if (!found) return forWindow();
    clearInterval(trying);
    // The other port stays: somebody may be reading a page there.
    parts.had();
  };
  let underWay: Promise<void> | undefined;
  let trying: NodeJS.Timeout | undefined;
  if (!known) {
    await forWindow();
    trying = setInterval(() => {
      underWay ??= again().finally(() => {
        underWay = undefined;
      });
    }, tryEvery);
  }
  return {
    port: () => known?.port ?? null,
    windowPort: () => (known ?? own)?.port ?? null,
    async close() {
      closed = true;
      clearInterval(trying);
      await underWay;
      await Promise.all([known?.close(), own?.close()]);
    },
  };
}
