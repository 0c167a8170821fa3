import { type Loopback, type LoopbackDeps, startLoopback } from './server.ts';

const RETRY_MS = 30_000;

export interface Listening {
  /** The port for the dashboard's calls; null while another program uses it. */
  port(): number | null;
  /** The port for the window: another port while the dashboard's port is taken; null without any. */
  windowPort(): number | null;
  close(): Promise<void>;
}

/**
 * Listens on the dashboard's port as soon as it is free, then calls `onPortFree`. Until then the window uses another port: a program that
 * takes the port must not prevent the calm screen.
 */
export async function keepListening(deps: LoopbackDeps & { onPortFree: () => void }): Promise<Listening> {
  let dashboardLoopback = await startLoopback(deps);
  let windowLoopback: Loopback | null = null;
  let closed = false;
  const forWindow = async () => {
    windowLoopback ??= await startLoopback({ ...deps, port: 0, origins: () => [] });
  };
  const tryAgain = async () => {
    const newLoopback = await startLoopback(deps);
    if (closed) return newLoopback?.close();
    dashboardLoopback = newLoopback;
    if (!newLoopback) return forWindow();
    clearInterval(trying);
    // The other port stays open, because open pages use it.
    deps.onPortFree();
  };
  let underWay: Promise<void> | undefined;
  let trying: NodeJS.Timeout | undefined;
  if (!dashboardLoopback) {
    await forWindow();
    trying = setInterval(() => {
      underWay ??= tryAgain().finally(() => {
        underWay = undefined;
      });
    }, RETRY_MS);
  }
  return {
    port: () => dashboardLoopback?.port ?? null,
    windowPort: () => (dashboardLoopback ?? windowLoopback)?.port ?? null,
    async close() {
      closed = true;
      clearInterval(trying);
      await underWay;
      await Promise.all([dashboardLoopback?.close(), windowLoopback?.close()]);
    },
  };
}
