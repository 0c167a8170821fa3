import type { Server as HttpServer } from 'node:http';
import { type SocketAddress, withoutOurselves } from './address.ts';
import { startBlockPage } from './block-page.ts';
import { siteMatcher } from './matcher.ts';
import type { FromFilter, ToFilter } from './protocol.ts';
import { reportedSites } from './reported-sites.ts';
import { type Resolver, resolver } from './resolver.ts';
import { listenTcp } from './tcp.ts';
import { type FastUdp, listenUdp } from './udp.ts';
import { upstream } from './upstream.ts';

export interface FilterService {
  take(message: ToFilter): void;
  close(): void;
}

/** The DNS filter itself, as its process runs it. */
export function filterService(send: (message: FromFilter) => void, fastUdp?: FastUdp): FilterService {
  const steady = () => performance.now();
  const verdictFor = siteMatcher(Date.now);
  const servers = upstream([]);
  let [own, page]: [SocketAddress, HttpServer | null] = [{ address: '', port: 0 }, null];
  let pageAddress: Uint8Array | null = null;
  let open: { close(): void }[] = [];
  const names: Resolver = resolver({
    verdictFor,
    tried: reportedSites(steady, (tried) => send({ kind: 'tried', tried })),
    upstream: servers,
    page: () => pageAddress,
    failing: () => send({ kind: 'failing' }),
    now: steady,
  });
  const start = async (message: Extract<ToFilter, { kind: 'start' }>) => {
    servers.use(withoutOurselves(message.upstream, message.own));
    try {
      const udp = (await fastUdp?.(names.handle, message.own)) ?? (await listenUdp(names, message.own));
      open.push(udp);
      own = { address: message.own.address, port: udp.port };
      open.push(await listenTcp(names, own));
    } catch (err) {
      close();
      return send({ kind: 'taken', why: (err as NodeJS.ErrnoException).code ?? String(err) });
    }
    servers.use(withoutOurselves(message.upstream, own));
    page = message.page && (await startBlockPage(message.page, verdictFor));
    if (page) open.push(page);
    pageAddress = page && message.page && Uint8Array.from(message.page.address.split('.').map(Number));
    const heard = page?.address();
    const place = message.page && heard && typeof heard === 'object' ? { address: message.page.address, port: heard.port } : null;
    send({ kind: 'listening', own, page: place });
  };
  const close = () => {
    for (const one of open) one.close();
    open = [];
  };
  const takers: { [K in ToFilter['kind']]: (message: Extract<ToFilter, { kind: K }>) => void } = {
    start: (message) => void start(message),
    rules: ({ rules }) => verdictFor.useRules(rules),
    definitions({ definitions, sites }) {
      try {
        send({ kind: 'in_force', names: verdictFor.useDefinitions(definitions, sites) });
      } catch (err) {
        // The former list stays in force.
        send({ kind: 'refused', why: err instanceof Error ? err.message : String(err) });
      }
    },
    upstream(message) {
      servers.use(withoutOurselves(message.servers, own));
      names.forget();
    },
    ping: () => send({ kind: 'pong' }),
    stop: close,
  };
  return { take: (message) => takers[message.kind](message as never), close };
}
