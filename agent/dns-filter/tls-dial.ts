import type { TLSSocket } from 'node:tls';
import type { ProtectiveResolver } from '@porchlight/contract/protective-resolvers.ts';
import type { FilterClock } from './clock.ts';

/** `ca`: PEM certificates that replace those of Node; only tests hand them in, as they do another port than 853. */
export interface TlsOptions {
  port: number;
  ca?: string;
}

/** Milliseconds until the next address is tried beside the slower ones (RFC 8305 suggests 250), and until the attempt fails. */
const NEXT_ADDRESS_MS = 250;
const DIAL_MS = 5000;

/**
 * Connects to the service by DNS over TLS, with its addresses in turn, because a computer may have no IPv6. Resolves to the first connection
 * whose certificate is valid for the service's host, or to null when there is none.
 */
export async function dialTls(
  { host, addresses }: ProtectiveResolver,
  { port, ca }: TlsOptions,
  clock: FilterClock,
): Promise<TLSSocket | null> {
  // Loaded at the first use, because it takes 3 MB, and most computers have no protective resolver.
  const { connect } = await import('node:tls');
  return new Promise((resolve) => {
    const sockets: TLSSocket[] = [];
    let isOver = false;
    let failures = 0;
    let cancelNext = () => {};
    const finish = (winner: TLSSocket | null) => {
      if (isOver) return;
      isOver = true;
      cancelNext();
      cancelLimit();
      for (const socket of sockets) if (socket !== winner) socket.destroy();
      resolve(winner);
    };
    const tryNext = () => {
      cancelNext();
      const address = addresses[sockets.length];
      if (isOver || address === undefined) return;
      // Refusing bad certificates is the default, which an environment variable of Node can change; this option cannot be changed.
      const security = { servername: host, rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;
      const socket = connect({ host: address, port, ...security, ...(ca === undefined ? {} : { ca }) });
      sockets.push(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.once('secureConnect', () => finish(socket));
      socket.once('close', () => {
        failures++;
        if (failures === addresses.length) finish(null);
        else tryNext();
      });
      cancelNext = clock.after(NEXT_ADDRESS_MS, tryNext);
    };
    const cancelLimit = clock.after(DIAL_MS, () => finish(null));
    tryNext();
  });
}
