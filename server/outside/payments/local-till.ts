import type { Clock } from '../../lib/clock.ts';
import { openTill, type Till } from './till.ts';

interface Place {
  folder: string;
  clock: Clock;
  /** What the server listens on, and how people reach it, without a slash at the end. */
  host: string;
  port: number;
  public_url: string;
}

/** How often what is due is looked for, in milliseconds. */
const pace = 2000;

/** The till beside a server that runs: it tells that server's webhook what happens, also what time alone brings. */
export async function openLocalTill({ folder, clock, host, port, public_url }: Place): Promise<Till> {
  const here = /^(0\.0\.0\.0|\[?::\]?)$/.test(host) ? '127.0.0.1' : host;
  const { hostname } = new URL(public_url);
  // Its pages open on this computer only, under a name that means this computer.
  const base = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? public_url : `http://localhost:${port}`;
  const till = await openTill({
    folder,
    clock,
    pages_url: `${base}/dev/payments`,
    async send(body, signature) {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
      const { status } = await fetch(`http://${here}:${port}/api/stripe/webhook`, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(30_000),
      });
      return status;
    },
  });
  const timer = setInterval(() => void till.deliver(), pace);
  return {
    ...till,
    close() {
      clearInterval(timer);
      return till.close();
    },
  };
}
