import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { shippedCatalogue, shippedRules } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { onTestFinished } from 'vitest';
import type { SocketAddress } from '../dns-filter/address.ts';
import { readQuery } from '../dns-filter/dns/query.ts';
import { framed } from '../dns-filter/framing.ts';
import type { FromFilter, SiteRulesInForce, ToFilter } from '../dns-filter/protocol.ts';
import { type FilterSettings, filterService } from '../dns-filter/service.ts';
import type { TlsOptions } from '../dns-filter/tls-dial.ts';
import type { SiteAttempt } from '../ports.ts';
import { until } from './until.ts';

/** The command of a DNS filter that reaches protective resolvers at another port and with another authority. */
export const commandWithTls = (tls: TlsOptions): string[] => {
  const script = `
    const { filterService } = await import(${JSON.stringify(new URL('../dns-filter/service.ts', import.meta.url).href)});
    const service = filterService((message) => process.send?.(message, undefined, {}, () => {}), { tls: ${JSON.stringify(tls)} });
    process.on('message', service.take);
    process.once('disconnect', () => process.exit());`;
  return [process.execPath, '--input-type=module', '-e', script, '--'];
};

export const blockAll: SiteRulesInForce = {
  actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
  allow: [],
};

export function queryFor(name: string, type = 1, { id = 0x1234, edns = 0 } = {}): Buffer {
  const chunks = [Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, edns ? 1 : 0]), encodedName(name)];
  chunks.push(Buffer.from([type >> 8, type & 255, 0, 1]));
  if (edns) chunks.push(Buffer.from([0, 0, 41, edns >> 8, edns & 255, 0, 0, 0, 0, 0, 0]));
  return Buffer.concat(chunks);
}

export interface UpstreamAnswer {
  code?: number;
  addresses?: string[];
  ttl?: number;
  truncated?: boolean;
  /** Before the addresses, with the name that was asked. */
  records?: { type: number; data: Buffer }[];
  raw?: Buffer;
}

/** A name as in a query, without compression. */
export const encodedName = (name: string): Buffer => {
  const labels = name.split('.').filter(Boolean);
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]), Buffer.from([0])]);
};

export interface TestUpstream {
  socketAddress: SocketAddress;
  asked: string[];
  askedTcp: string[];
  ports: number[];
  ids: number[];
  answer: (name: string, tcp: boolean) => UpstreamAnswer | null;
  /** Sends a packet from the server's UDP socket to a port of this computer. */
  send(packet: Buffer, port: number): void;
}

export function answerTo(
  packet: Buffer,
  { code = 0, addresses = ['192.0.2.1'], ttl = 60, truncated = false, records = [], raw }: UpstreamAnswer,
): Buffer {
  if (raw) return raw;
  const query = readQuery(packet);
  if (typeof query === 'number') throw new Error('that is no query');
  const head = Buffer.from(packet.subarray(0, query.end));
  head[2] = 0x81 | (truncated ? 2 : 0);
  head[3] = 0x80 | code;
  head.writeUInt16BE(truncated ? 0 : addresses.length + records.length, 6);
  head.writeUInt16BE(0, 10);
  const addressRecords = addresses.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    record.writeUInt32BE(ttl, 6);
    return record;
  });
  const others = records.map(({ type, data }) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
    record.writeUInt32BE(ttl, 6);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat(truncated ? [head] : [head, ...others, ...addressRecords]);
}

/** A DNS server on real sockets. A null from `answer` sends nothing. */
export async function upstreamForTest(address = '127.0.0.1', port = 0): Promise<TestUpstream> {
  const udp = createSocket('udp4');
  const nameIn = (packet: Buffer) => {
    const query = readQuery(packet);
    return typeof query === 'number' ? '' : query.name;
  };
  udp.on('message', (packet, from) => {
    test.asked.push(nameIn(packet));
    test.ports.push(from.port);
    test.ids.push(packet.readUInt16BE(0));
    const answer = test.answer(nameIn(packet), false);
    if (answer) udp.send(answerTo(packet, answer), from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, address, resolve));
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes: Buffer) => {
      const packet = bytes.subarray(2);
      test.askedTcp.push(nameIn(packet));
      const answer = test.answer(nameIn(packet), true);
      if (answer) socket.end(framed(answerTo(packet, answer)));
    });
  });
  const isListening = await new Promise<boolean>((resolve) => {
    tcp.once('error', () => resolve(false));
    tcp.listen(udp.address().port, address, () => resolve(true));
  });
  if (!isListening && port === 0) {
    // A connection of another test has this port for TCP.
    udp.close();
    return upstreamForTest(address);
  }
  onTestFinished(() => {
    udp.close();
    tcp.close();
  });
  const test: TestUpstream = {
    socketAddress: { address, port: udp.address().port },
    ...{ asked: [], askedTcp: [], ports: [], ids: [] },
    answer: () => ({}),
    send: (packet, to) => udp.send(packet, to, '127.0.0.1'),
  };
  return test;
}

export interface ReceivedAnswer {
  id: number;
  code: number;
  truncated: boolean;
  addresses: string[];
  ttls: number[];
  bytes: Buffer;
}

export function read(bytes: Buffer, sentQuery: Buffer): ReceivedAnswer {
  const query = readQuery(sentQuery);
  const end = typeof query === 'number' ? 12 : query.end;
  const received: ReceivedAnswer = {
    id: bytes.readUInt16BE(0),
    code: (bytes[3] ?? 0) & 15,
    truncated: ((bytes[2] ?? 0) & 2) !== 0,
    addresses: [],
    ttls: [],
    bytes,
  };
  let offset = end;
  for (let count = bytes.readUInt16BE(6); count > 0; count--) {
    const [type, length] = [bytes.readUInt16BE(offset + 2), bytes.readUInt16BE(offset + 10)];
    received.ttls.push(bytes.readUInt32BE(offset + 6));
    const data = bytes.subarray(offset + 12, offset + 12 + length);
    received.addresses.push(type === 1 ? data.join('.') : data.toString('hex'));
    offset += 12 + length;
  }
  return received;
}

export function ask({ address, port }: SocketAddress, query: Buffer, within = 8000): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => (socket.close(), reject(new Error('no answer'))), within);
    socket.once('message', (bytes) => {
      clearTimeout(timer);
      socket.close();
      resolve(read(bytes, query));
    });
    socket.send(query, port, address);
  });
}

export function queryTcp({ address, port }: SocketAddress, queries: Buffer[]): Promise<ReceivedAnswer[]> {
  return new Promise((resolve, reject) => {
    const received: ReceivedAnswer[] = [];
    let buffer = Buffer.alloc(0);
    const socket = connect(port, address, () => socket.write(Buffer.concat(queries.map(framed))));
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      for (
        buffer = Buffer.concat([buffer, chunk]);
        buffer.length >= 2 && buffer.length >= 2 + buffer.readUInt16BE(0);
        buffer = buffer.subarray(2 + buffer.readUInt16BE(0))
      ) {
        const bytes = buffer.subarray(2, 2 + buffer.readUInt16BE(0));
        const question = queries.find((one) => one.readUInt16BE(0) === bytes.readUInt16BE(0)) ?? queries[0];
        if (question) received.push(read(bytes, question));
      }
      if (received.length < queries.length) return;
      socket.destroy();
      resolve(received);
    });
  });
}

export interface TestFilter {
  socketAddress: SocketAddress;
  page: SocketAddress | null;
  messages: FromFilter[];
  tried: SiteAttempt[];
  take(message: ToFilter): void;
}

/** Starts the DNS filter on real sockets, with the catalogue and a list of these names; it is closed after the test. */
export async function filterForTest(
  upstream: SocketAddress[],
  {
    list = [],
    rules = blockAll,
    page = null,
    settings,
  }: {
    list?: string[];
    rules?: SiteRulesInForce | null;
    page?: SocketAddress | null;
    settings?: Partial<FilterSettings>;
  } = {},
): Promise<TestFilter> {
  const messages: FromFilter[] = [];
  const tried: SiteAttempt[] = [];
  const service = filterService((message) => {
    messages.push(message);
    if (message.kind === 'tried') tried.push(message.tried);
  }, settings);
  onTestFinished(service.close);
  service.take({ kind: 'rules', rules });
  const { money, names } = shippedRules();
  service.take({ kind: 'definitions', definitions: shippedCatalogue(), money, names, sites: buildSiteList(list) });
  service.take({ kind: 'start', own: { address: '127.0.0.1', port: 0 }, page, upstream });
  const listening = await until('it to listen', () => messages.find((message) => message.kind === 'listening'));
  return { socketAddress: listening.own, page: listening.page, messages, tried, take: service.take };
}

/** For a filter in a process of its own, which alone would know what port 0 became. */
export async function unusedPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  // The filter answers by TCP at the same number, which another test may have.
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isFree) await new Promise((resolve) => server.close(resolve));
  await new Promise<void>((resolve) => socket.close(resolve));
  return isFree ? port : unusedPort();
}
