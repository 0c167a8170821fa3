import { randomInt } from 'node:crypto';
import type { SocketAddress } from './address.ts';
import { rcodes } from './dns/codes.ts';
import type { Query } from './dns/query.ts';
import { type Answered, queryTcp, queryUdp } from './exchange.ts';

/** A client gives up after about five seconds: two servers fit in twice. */
const TIMEOUT_MS = 1200;
const tcpPatience = 2500;
const rounds = 2;
/** The concurrent queries; each has a socket of its own. */
const atOnce = 400;

export interface Upstream {
  /** Queries the servers one after another; null when none answers, or there is none. The id in `bytes` is one of ours. */
  ask(packet: Uint8Array, query: Query): Promise<Answered | null>;
  use(servers: SocketAddress[]): void;
}

/** Queries the system's former DNS servers; the one that answered last comes first. */
export function upstream(first: SocketAddress[]): Upstream {
  let servers = first;
  let out = 0;
  const one = async (server: SocketAddress, packet: Buffer, query: Query): Promise<Answered | null> => {
    const answered = await queryUdp(server, packet, query, TIMEOUT_MS);
    if (!answered?.reply.truncated) return answered;
    // Without TCP a truncated answer is better than none: the client sees that it is not whole.
    return (await queryTcp(server, packet, query, tcpPatience)) ?? answered;
  };
  const all = async (packet: Uint8Array, query: Query): Promise<Answered | null> => {
    let refused: Answered | null = null;
    for (let round = 0; round < rounds; round++) {
      for (const server of [...servers]) {
        const own = Buffer.from(packet);
        own.writeUInt16BE(randomInt(65536), 0);
        const answered = await one(server, own, query);
        const { code } = answered?.reply ?? { code: -1 };
        if (answered && code !== rcodes.failed && code !== rcodes.refused && code !== rcodes.not_done) {
          if (servers[0] !== server && servers.includes(server)) servers = [server, ...servers.filter((other) => other !== server)];
          return answered;
        }
        refused ??= answered;
      }
      // A refusing server would refuse again.
      if (refused) return refused;
    }
    return null;
  };
  return {
    async ask(packet, query) {
      if (out >= atOnce) return null;
      out++;
      try {
        return await all(packet, query);
      } finally {
        out--;
      }
    },
    use(next) {
      servers = next;
    },
  };
}
