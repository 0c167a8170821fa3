import type { ProtectiveResolver } from '@porchlight/contract/protective-resolvers.ts';
import { type FilterClock, within } from './clock.ts';
import { rcodes } from './dns/codes.ts';
import { type Query, readQuery } from './dns/query.ts';
import type { Answered } from './exchange.ts';
import { type PipelinedConnection, pipelinedConnection } from './pipelined-connection.ts';
import { dialTls, type TlsOptions } from './tls-dial.ts';

/** Milliseconds for connecting and the answer together. Clients give up after about five seconds, and the network's servers come next. */
const ANSWER_MS = 1500;
/** Milliseconds until an unreachable service is tried again; the wait doubles up to the last. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** The limit of queries that wait for the service, so that a program that floods us with names cannot fill the memory. */
const MAX_WAITING = 400;

/** The query of a retry: the SOA record of the root, which every DNS server has and which says nothing of the user. */
const probe = Buffer.from('0000010000010000000000000000060001', 'hex');

export interface ProtectiveService {
  /** Null when the service is away or busy, or does not answer in time: then the network's own servers must be asked. */
  ask(packet: Uint8Array, query: Query): Promise<Answered | null>;
  isAway(): boolean;
  /** Reconnects, because connections do not survive a change of the network; a service that was away is tried at once. */
  networkChanged(): void;
  close(): void;
}

export interface ProtectiveServiceDeps {
  service: ProtectiveResolver;
  tls: TlsOptions;
  clock: FilterClock;
  /** Called when the service answers again after it was away. */
  onBack: () => void;
}

/** `drop` closes the connection, or ends the attempt to connect. */
interface Link {
  connection: Promise<PipelinedConnection | 'failed' | 'dropped'>;
  drop: () => void;
}

/**
 * Looks up names at a protective resolver over one lasting connection. After a failure the service is away: no query waits for it until a
 * retry in the background is answered, so that an unreachable service delays one query and not each.
 */
export function protectiveService({ service, tls, clock, onBack }: ProtectiveServiceDeps): ProtectiveService {
  let link: Link | null = null;
  let [away, closed, waiting, retryMs] = [false, false, 0, FIRST_RETRY_MS];
  let cancelRetry = () => {};

  const open = (): Link => {
    const { promise, resolve } = Promise.withResolvers<PipelinedConnection | 'failed' | 'dropped'>();
    const newLink: Link = { connection: promise, drop: () => resolve('dropped') };
    const forgetLink = () => {
      if (link === newLink) link = null;
    };
    void dialTls(service, tls, clock).then((socket) => {
      if (link !== newLink) return void socket?.destroy();
      if (!socket) {
        forgetLink();
        return resolve('failed');
      }
      const connection = pipelinedConnection(socket, clock, forgetLink);
      newLink.drop = connection.close;
      resolve(connection);
    });
    return newLink;
  };
  const drop = () => {
    const oldLink = link;
    link = null;
    oldLink?.drop();
  };
  /** A server may close an idle connection while a query is on its way, so such a query is sent once more on a new connection. */
  const exchange = async (packet: Uint8Array, query: Query, ms: number): Promise<Answered | 'failed' | 'late'> => {
    const end = clock.now() + ms;
    for (let tries = 0; tries < 2; tries++) {
      link ??= open();
      const connection = await within(clock, end - clock.now(), link.connection, 'failed' as const);
      if (connection === 'failed') return 'failed';
      if (connection === 'dropped') continue;
      const answer = await connection.ask(packet, query, end - clock.now());
      if (answer === 'silent') return 'failed';
      if (answer !== 'closed') return answer;
    }
    return 'failed';
  };
  const retry = async () => {
    const query = readQuery(probe);
    const answer = typeof query === 'number' ? 'failed' : await exchange(probe, query, LAST_RETRY_MS / 10);
    if (closed || !away) return;
    if (typeof answer === 'string' || answer.reply.code === rcodes.refused || answer.reply.code === rcodes.failed) return waitAndRetry();
    [away, retryMs] = [false, FIRST_RETRY_MS];
    onBack();
  };
  const waitAndRetry = () => {
    drop();
    cancelRetry = clock.after(retryMs, () => void retry());
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  };
  return {
    async ask(packet, query) {
      if (away || closed || waiting >= MAX_WAITING) return null;
      waiting++;
      const answer = await exchange(packet, query, ANSWER_MS);
      waiting--;
      if (answer === 'failed' && !away && !closed) {
        away = true;
        waitAndRetry();
      }
      // SERVFAIL is passed on, because a service that validates DNSSEC says by it that an answer was forged.
      return typeof answer === 'string' || answer.reply.code === rcodes.refused ? null : answer;
    },
    isAway: () => away,
    networkChanged() {
      drop();
      if (!away || closed) return;
      cancelRetry();
      retryMs = FIRST_RETRY_MS;
      void retry();
    },
    close() {
      closed = true;
      cancelRetry();
      drop();
    },
  };
}
