import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { ProtectiveResolver } from '@porchlight/contract/protective-resolvers.ts';
import { onTestFinished } from 'vitest';
import { readQuery } from '../dns-filter/dns/query.ts';
import { framed, frameReader } from '../dns-filter/framing.ts';
import type { TlsOptions } from '../dns-filter/tls-dial.ts';
import { certificateAuthority, type TestCertificate } from './certificates.ts';
import { answerTo, ask, filterForTest, queryFor, upstreamForTest } from './dns.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { until } from './until.ts';

export interface TestService {
  service: ProtectiveResolver;
  tls: TlsOptions;
  /** The names of all queries, in their order. */
  asked: string[];
  /** The number of connections so far, whether or not TLS came about. */
  connections: number;
  /** What happens with a query; by default `serviceAnswer` is sent. `send` may be called later, several times or never. */
  handle: (packet: Buffer, send: (answer: Buffer) => void) => void;
  /** Ends all connections, as a service does with idle ones. */
  disconnect(): void;
  /** Stops listening and ends all connections. */
  stop(): Promise<void>;
  /** Listens again at the same port. */
  start(): Promise<void>;
}

/** The address in the service's answers, so that tests see who answered. */
export const serviceAddress = '203.0.113.9';

const host = 'dns.protective.example';

/** A protective resolver on real sockets: DNS over TLS. `certify` chooses a certificate; by default one is made for its host. */
export async function tlsServiceForTest(
  certify?: (authority: ReturnType<typeof certificateAuthority>, host: string) => TestCertificate,
): Promise<TestService> {
  const authority = certificateAuthority();
  const certificate = certify?.(authority, host) ?? authority.certificateFor(host);
  const sockets = new Set<Socket>();
  let port = 0;
  const listen = async () => {
    const server = createServer(certificate, (socket) => {
      socket.on('error', () => {});
      const take = frameReader((packet) => {
        const query = readQuery(packet);
        test.asked.push(typeof query === 'number' ? '' : query.name);
        test.handle(packet, (answer) => {
          if (socket.writable) socket.write(framed(answer));
        });
      });
      socket.on('data', take);
    });
    server.on('connection', (socket: Socket) => {
      test.connections++;
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
    return server;
  };
  const test: TestService = {
    service: { name: 'Quad9', host, addresses: ['127.0.0.1'] },
    tls: { port: 0, ca: authority.ca },
    asked: [],
    connections: 0,
    handle: (packet, send) => send(answerTo(packet, { addresses: [serviceAddress] })),
    disconnect() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      test.disconnect();
      await closed;
    },
    async start() {
      server = await listen();
    },
  };
  let server = await listen();
  test.tls.port = port;
  onTestFinished(() => test.stop());
  return test;
}

export const networkAddress = '192.0.2.1';

/** A filter with this protective resolver, beside a DNS server of the network, on a clock that the test advances. */
export async function protectedFilterForTest(service?: TestService) {
  const [network, protective, clock] = [await upstreamForTest(), service ?? (await tlsServiceForTest()), manualClock()];
  const filter = await filterForTest([network.socketAddress], { list: ['evil.test'], settings: { clock, tls: protective.tls } });
  filter.take({ kind: 'resolver', resolver: protective.service });
  const address = async (name: string) => (await ask(filter.socketAddress, queryFor(name))).addresses[0];
  return {
    ...{ network, protective, clock, filter, address },
    /** The filter's messages on whether the service can be reached. */
    reachable: () => filter.messages.flatMap((message) => (message.kind === 'resolver' ? message.reachable : [])),
    /** Advances the clock while a query waits, and returns its address and the milliseconds that passed by the clock. */
    async addressInTime(name: string, isWaiting: () => boolean) {
      const [answer, startedAt] = [address(name), clock.now()];
      await until('the query to wait', isWaiting);
      return { address: await advanced(clock, answer), after: clock.now() - startedAt };
    },
  };
}

/** Advances the clock by 100 ms at a time until the work is done. */
export async function advanced<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const result = work.finally(() => (isDone = true));
  await until('the work to be done', () => {
    if (!isDone) clock.advance(100);
    return isDone;
  });
  return result;
}
