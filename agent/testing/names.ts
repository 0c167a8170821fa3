import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { onTestFinished } from 'vitest';
import type { SocketAddress } from '../dns-filter/address.ts';
import { readQuery } from '../dns-filter/dns/query.ts';
import { framed } from '../dns-filter/exchange.ts';
import type { FromFilter, SiteRulesInForce, ToFilter } from '../dns-filter/protocol.ts';
import { filterService } from '../dns-filter/service.ts';
import type { FastUdp } from '../dns-filter/udp.ts';
import type { SiteAttempt } from '../ports.ts';
import { until } from './until.ts';

export const blockAll: SiteRulesInForce = {
  actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
  allow: [],
};

/** A query as a client sends it. */
export function queryFor(name: string, type = 1, { id = 0x1234, edns = 0 } = {}): Buffer {
  const labels = name.split('.').filter(Boolean);
  const deps = [Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, edns ? 1 : 0])];
  for (const label of labels) deps.push(Buffer.from([label.length]), Buffer.from(label, 'latin1'));
  deps.push(Buffer.from([0, type >> 8, type & 255, 0, 1]));
  if (edns) deps.push(Buffer.from([0, 0, 41, edns >> 8, edns & 255, 0, 0, 0, 0, 0, 0]));
  return Buffer.concat(deps);
}

export interface UpstreamAnswer {
  code?: number;
  /** IPv4 addresses. */
  addresses?: string[];
  ttl?: number;
  truncated?: boolean;
  /** In place of everything else. */
  raw?: Buffer;
}

export interface TestUpstream {
  place: SocketAddress;
  /** Names that it was asked for, over UDP and over TCP. */
  asked: string[];
  askedTcp: string[];
  /** From which ports, and with which identifiers. */
  ports: number[];
  ids: number[];
  answer: (name: string, tcp: boolean) => UpstreamAnswer | null;
}

/** Answer to this query as an upstream writes it, names compressed. */
export function answerTo(
  packet: Buffer,
  { code = 0, addresses = ['192.0.2.1'], ttl = 60, truncated = false, raw }: UpstreamAnswer,
): Buffer {
  if (raw) return raw;
  const query = readQuery(packet);
  if (typeof query === 'number') throw new Error('that is no query');
  const head = Buffer.from(packet.subarray(0, query.end));
  head[2] = 0x81 | (truncated ? 2 : 0);
  head[3] = 0x80 | code;
  head.writeUInt16BE(truncated ? 0 : addresses.length, 6);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    record.writeUInt32BE(ttl, 6);
    return record;
  });
  return Buffer.concat(truncated ? [head] : [head, ...records]);
}

/** A name server on real sockets that answers as the test says; null: not at all. */
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
  await new Promise<void>((resolve) => tcp.listen(udp.address().port, address, resolve));
  onTestFinished(() => {
    udp.close();
    tcp.close();
  });
  const test: TestUpstream = {
    place: { address, port: udp.address().port },
    ...{ asked: [], askedTcp: [], ports: [], ids: [] },
    answer: () => ({}),
  };
  return test;
}

/** What a client was answered. */
export interface Heard {
  id: number;
  code: number;
  truncated: boolean;
  addresses: string[];
  ttls: number[];
  bytes: Buffer;
}

export function read(bytes: Buffer, asked: Buffer): Heard {
  const query = readQuery(asked);
  const end = typeof query === 'number' ? 12 : query.end;
  const heard: Heard = {
    id: bytes.readUInt16BE(0),
    code: (bytes[3] ?? 0) & 15,
    truncated: ((bytes[2] ?? 0) & 2) !== 0,
    addresses: [],
    ttls: [],
    bytes,
  };
  let at = end;
  for (let count = bytes.readUInt16BE(6); count > 0; count--) {
    const [type, length] = [bytes.readUInt16BE(at + 2), bytes.readUInt16BE(at + 10)];
    heard.ttls.push(bytes.readUInt32BE(at + 6));
    const data = bytes.subarray(at + 12, at + 12 + length);
    heard.addresses.push(type === 1 ? data.join('.') : data.toString('hex'));
    at += 12 + length;
  }
  return heard;
}

/** Asks over UDP; rejects when nothing comes. */
export function ask({ address, port }: SocketAddress, asked: Buffer, within = 8000): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => (socket.close(), reject(new Error('no answer'))), within);
    socket.once('message', (bytes) => {
      clearTimeout(timer);
      socket.close();
      resolve(read(bytes, asked));
    });
    socket.send(asked, port, address);
  });
}

/** Asks several over one TCP connection; the answers as they come. */
export function queryTcp({ address, port }: SocketAddress, asked: Buffer[]): Promise<Heard[]> {
  return new Promise((resolve, reject) => {
    const heard: Heard[] = [];
    let got = Buffer.alloc(0);
    const socket = connect(port, address, () => socket.write(Buffer.concat(asked.map(framed))));
    socket.once('error', reject);
    socket.on('data', (more: Buffer) => {
      for (
        got = Buffer.concat([got, more]);
        got.length >= 2 && got.length >= 2 + got.readUInt16BE(0);
        got = got.subarray(2 + got.readUInt16BE(0))
      ) {
        const bytes = got.subarray(2, 2 + got.readUInt16BE(0));
        const question = asked.find((one) => one.readUInt16BE(0) === bytes.readUInt16BE(0)) ?? asked[0];
        if (question) heard.push(read(bytes, question));
      }
      if (heard.length < asked.length) return;
      socket.destroy();
      resolve(heard);
    });
  });
}

export interface TestFilter {
  place: SocketAddress;
  page: SocketAddress | null;
  said: FromFilter[];
  tried: SiteAttempt[];
  take(message: ToFilter): void;
}

/** The site filter on real sockets, with the catalogue and a list of these names. Closed when the test is over. */
export async function filterForTest(
  upstream: SocketAddress[],
  {
    list = [],
    rules = blockAll,
    page = null,
    fastUdp,
  }: { list?: string[]; rules?: SiteRulesInForce | null; page?: SocketAddress | null; fastUdp?: FastUdp } = {},
): Promise<TestFilter> {
  const said: FromFilter[] = [];
  const tried: SiteAttempt[] = [];
  const service = filterService((message) => {
    said.push(message);
    if (message.kind === 'tried') tried.push(message.tried);
  }, fastUdp);
  onTestFinished(service.close);
  service.take({ kind: 'rules', rules });
  service.take({ kind: 'definitions', definitions: readCatalogue(), sites: buildSiteList(list) });
  service.take({ kind: 'start', own: { address: '127.0.0.1', port: 0 }, page, upstream });
  const listening = await until('it to listen', () => said.find((message) => message.kind === 'listening'));
  return { place: listening.own, page: listening.page, said, tried, take: service.take };
}
