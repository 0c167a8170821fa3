import type { SocketAddress } from './address.ts';
import type { FilterClock } from './clock.ts';
import { rcodes } from './dns/codes.ts';
import type { Query } from './dns/query.ts';
import { type Answered, queryTcp } from './exchange.ts';
import { type UdpPool, udpPool } from './udp-pool.ts';

/** Milliseconds. Clients give up after about five seconds, so two servers can be tried twice. */
const TIMEOUT_MS = 1200;
const TCP_TIMEOUT_MS = 2500;
const rounds = 2;
/** The limit of concurrent queries. */
const maxQueries = 400;

/** With these codes a server does not help, and the next one is queried. */
const refusals: ReadonlySet<number> = new Set([rcodes.failed, rcodes.refused, rcodes.not_implemented]);

export interface Upstream {
  /** Queries the servers in turn; null when no server answers. The id in the answer's bytes is random, not the client's. */
  ask(packet: Uint8Array, query: Query): Promise<Answered | null>;
  use(servers: SocketAddress[]): void;
  close(): void;
}

interface Server extends SocketAddress {
  udp: UdpPool;
}

/** Queries the system's former DNS servers, beginning with the server that answered last. */
export function upstream(clock: FilterClock): Upstream {
  let servers: Server[] = [];
  let inFlight = 0;
  const close = () => {
    for (const { udp } of servers) udp.close();
  };
  return {
    async ask(packet, query) {
      if (inFlight >= maxQueries) return null;
      inFlight++;
      try {
        let refusedAnswer: Answered | null = null;
        for (let round = 0; round < rounds; round++) {
          for (const server of servers) {
            const ownQuery = Buffer.from(packet);
            let answered = await server.udp.ask(ownQuery, query);
            if (answered?.reply.truncated) answered = (await queryTcp(server, ownQuery, query, TCP_TIMEOUT_MS)) ?? answered;
            if (answered && !refusals.has(answered.reply.code)) {
              if (servers[0] !== server && servers.includes(server)) servers = [server, ...servers.filter((other) => other !== server)];
              return answered;
            }
            refusedAnswer ??= answered;
          }
          if (refusedAnswer) return refusedAnswer;
        }
        return null;
      } finally {
        inFlight--;
      }
    },
    use(newServers) {
      close();
      servers = newServers.map((server) => ({ ...server, udp: udpPool(server, clock, TIMEOUT_MS) }));
    },
    close,
  };
}
