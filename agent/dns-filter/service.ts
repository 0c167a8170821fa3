import type { Server as HttpServer } from 'node:http';
import { type SocketAddress, withoutOurselves } from './address.ts';
import { startBlockPage } from './block-page.ts';
import { chosenUpstream } from './chosen-upstream.ts';
import { type FilterClock, systemClock } from './clock.ts';
import { siteMatcher } from './matcher.ts';
import { openedSites } from './opened-sites.ts';
import type { FromFilter, ToFilter } from './protocol.ts';
import { reportedSites } from './reported-sites.ts';
import { type Resolver, resolver } from './resolver.ts';
import { listenTcp } from './tcp.ts';
import type { TlsOptions } from './tls-dial.ts';
import { listenUdp } from './udp.ts';
import { upstream } from './upstream.ts';

export interface FilterService {
  take(message: ToFilter): void;
  close(): void;
}

export interface FilterSettings {
  clock: FilterClock;
  /** How protective resolvers are reached; the port of DNS over TLS is 853. */
  tls: TlsOptions;
  listenUdp: typeof listenUdp;
}

const defaultSettings: FilterSettings = { clock: systemClock, tls: { port: 853 }, listenUdp };

const PORT_ATTEMPTS = 10;

export function filterService(send: (message: FromFilter) => void, settings: Partial<FilterSettings> = {}): FilterService {
  const { clock, tls, listenUdp } = { ...defaultSettings, ...settings };
  const opened = openedSites(clock, (hashes) => send({ kind: 'opened', hashes }));
  const verdictFor = siteMatcher(Date.now, opened);
  const servers = upstream(clock);
  const chosen = chosenUpstream({
    ...{ network: servers, tls, clock },
    onSwitched: () => names.forget(),
    onReachable: (host, reachable) => send({ kind: 'resolver', host, reachable }),
  });
  let [own, page]: [SocketAddress, HttpServer | null] = [{ address: '', port: 0 }, null];
  let pageAddress: Uint8Array | null = null;
  let listeners: { close(): void }[] = [];
  const names: Resolver = resolver({
    verdictFor,
    onAttempt: reportedSites(clock.now, (tried) => send({ kind: 'tried', tried })),
    upstream: chosen,
    page: () => pageAddress,
    failing: () => send({ kind: 'failing' }),
    now: clock.now,
  });
  const listen = async (wanted: SocketAddress): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const udp = await listenUdp(names, wanted);
        listeners.push(udp);
        own = { address: wanted.address, port: udp.port };
        listeners.push(await listenTcp(names, own));
        return;
      } catch (err) {
        close();
        // Port 0 becomes a number that is free for UDP, but it may be in use for TCP: then the next one is tried.
        const mayBeFree = wanted.port === 0 && (err as NodeJS.ErrnoException).code === 'EADDRINUSE';
        if (!mayBeFree || attempt === PORT_ATTEMPTS) throw err;
      }
    }
  };
  const start = async (message: Extract<ToFilter, { kind: 'start' }>) => {
    servers.use(withoutOurselves(message.upstream, message.own));
    try {
      await listen(message.own);
    } catch (err) {
      return send({ kind: 'taken', why: (err as NodeJS.ErrnoException).code ?? String(err) });
    }
    servers.use(withoutOurselves(message.upstream, own));
    page = message.page && (await startBlockPage(message.page, verdictFor));
    if (page) listeners.push(page);
    pageAddress = page && message.page && Uint8Array.from(message.page.address.split('.').map(Number));
    const boundAddress = page?.address();
    const pageSocket =
      message.page && boundAddress && typeof boundAddress === 'object' ? { address: message.page.address, port: boundAddress.port } : null;
    send({ kind: 'listening', own, page: pageSocket });
  };
  const close = () => {
    for (const listener of listeners) listener.close();
    listeners = [];
  };
  const end = () => {
    close();
    opened.close();
    chosen.close();
    servers.close();
  };
  const handlers: { [K in ToFilter['kind']]: (message: Extract<ToFilter, { kind: K }>) => void } = {
    start: (message) => void start(message),
    rules: ({ rules }) => verdictFor.useRules(rules),
    definitions({ sites, ...recognised }) {
      try {
        send({ kind: 'in_force', names: verdictFor.useDefinitions(recognised, sites) });
      } catch (err) {
        send({ kind: 'refused', why: err instanceof Error ? err.message : String(err) });
      }
    },
    upstream(message) {
      servers.use(withoutOurselves(message.servers, own));
      chosen.networkChanged();
      names.forget();
    },
    resolver: ({ resolver: choice }) => chosen.choose(choice),
    opened: ({ key, hashes }) => opened.use(key, hashes),
    ping: () => send({ kind: 'pong' }),
    stop: end,
  };
  return { take: (message) => handlers[message.kind](message as never), close: end };
}
