import { randomInt } from 'node:crypto';
import type { SocketAddress } from './address.ts';
import { rcodes } from './dns/codes.ts';
import type { Query } from './dns/query.ts';
import { type Answered, queryTcp, queryUdp } from './exchange.ts';

/** Milliseconds. Clients give up after about five seconds, so two servers can be tried twice. */
const TIMEOUT_MS = 1200;
const TCP_TIMEOUT_MS = 2500;
const rounds = 2;
/** The limit of concurrent queries; each has its own socket. */
const maxQueries = 400;

export interface Upstream {
  /** Queries the servers in turn; null when no server answers. The id in the answer's bytes is random, not the client's. */
  ask(packet: Uint8Array, query: Query): Promise<Answered | null>;
  use(servers: SocketAddress[]): void;
}

/** Queries the system's former DNS servers, beginning with the server that answered last. */
export function upstream(initialServers: SocketAddress[]): Upstream {
  let servers = initialServers;
  let inFlight = 0;
  const queryServer = async (server: SocketAddress, packet: Buffer, query: Query): Promise<Answered | null> => {
    const answered = await queryUdp(server, packet, query, TIMEOUT_MS);
    if (!answered?.reply.truncated) return answered;
    return (await queryTcp(server, packet, query, TCP_TIMEOUT_MS)) ?? answered;
  };
  const queryServers = async (packet: Uint8Array, query: Query): Promise<Answered | null> => {
    let refusedAnswer: Answered | null = null;
    for (let round = 0; round < rounds; round++) {
      for (const server of [...servers]) {
        const ownQuery = Buffer.from(packet);
        ownQuery.writeUInt16BE(randomInt(65536), 0);
        const answered = await queryServer(server, ownQuery, query);
        const { code } = answered?.reply ?? { code: -1 };
        if (answered && code !== rcodes.failed && code !== rcodes.refused && code !== rcodes.not_implemented) {
          if (servers[0] !== server && servers.includes(server)) servers = [server, ...servers.filter((other) => other !== server)];
          return answered;
        }
        refusedAnswer ??= answered;
      }
      if (refusedAnswer) return refusedAnswer;
    }
    return null;
  };
  return {
    async ask(packet, query) {
      if (inFlight >= maxQueries) return null;
      inFlight++;
      try {
        return await queryServers(packet, query);
      } finally {
        inFlight--;
      }
    },
    use(newServers) {
      servers = newServers;
    },
  };
}
