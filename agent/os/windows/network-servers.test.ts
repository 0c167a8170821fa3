import { SocketAddress } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAdapterTable } from './adapter-table.ts';
import { networkServers } from './network-servers.ts';

interface Adapter {
  servers: string[];
  up?: boolean;
  loopback?: boolean;
  metrics?: [number, number];
}
const at = 0x7ff0_0000_0000n;

/** As Windows writes it: an adapter, its servers and their addresses, each pointing to the next. */
function table(adapters: Adapter[]): Buffer {
  const buffer = Buffer.alloc(8192);
  let end = 0;
  const room = (length: number) => {
    const start = end;
    end += Math.ceil(length / 8) * 8;
    return start;
  };
  const point = (from: number, to: number) => buffer.writeBigUInt64LE(at + BigInt(to), from);
  let before: number | null = null;
  for (const { servers, up = true, loopback = false, metrics = [25, 25] } of adapters) {
    const adapter = room(376);
    if (before !== null) point(before + 8, adapter);
    before = adapter;
    buffer.writeUInt32LE(loopback ? 24 : 6, adapter + 100);
    buffer.writeUInt32LE(up ? 1 : 2, adapter + 104);
    for (const [n, metric] of metrics.entries()) buffer.writeUInt32LE(metric, adapter + 216 + n * 4);
    let link = adapter + 48;
    for (const server of servers) {
      const [entry, socket] = [room(32), room(28)];
      point(link, entry);
      link = entry + 8;
      point(entry + 16, socket);
      const [address = '', zone = '0'] = server.split('%');
      const six = address.includes(':');
      buffer.writeInt32LE(six ? 28 : 16, entry + 24);
      buffer.writeUInt16LE(six ? 23 : 2, socket);
      if (six) buffer.set(bytesOf(address), socket + 8);
      else buffer.set(address.split('.').map(Number), socket + 4);
      if (six) buffer.writeUInt32LE(Number(zone), socket + 24);
    }
  }
  return buffer;
}

/** Of an address with at most one `::`. */
function bytesOf(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

/** What is found on a computer whose adapters are these at each call, one after the other. */
function found(...moments: Adapter[][]): string[][] {
  let now: Adapter[] = [];
  const servers = networkServers({
    addresses: ((_family: number, _flags: number, _none: null, buffer: Buffer) => (table(now).copy(buffer), 0)) as never,
    addressOf: () => at,
  });
  return moments.map((adapters) => {
    now = adapters;
    return servers();
  });
}

test.each<[string, Adapter[], string[]]>([
  ['none', [], []],
  ['of both kinds', [{ servers: ['192.0.2.1', '2001:db8::1'] }], ['192.0.2.1', '2001:db8::1']],
  [
    'by metric',
    [
      { servers: ['192.0.2.1'], metrics: [50, 1] },
      { servers: ['192.0.2.2'], metrics: [5, 99] },
    ],
    ['192.0.2.2', '192.0.2.1'],
  ],
  ['each once', [{ servers: ['192.0.2.1', '192.0.2.2'] }, { servers: ['192.0.2.1'] }], ['192.0.2.1', '192.0.2.2']],
  ['down', [{ servers: ['192.0.2.1'], up: false }, { servers: ['192.0.2.2'] }], ['192.0.2.2']],
  ['loopback', [{ servers: ['192.0.2.1'], loopback: true }], []],
  ['no server', [{ servers: ['fec0:0:0:ffff::1%1', 'fec0:0:0:ffff::2', '192.0.2.1'] }], ['192.0.2.1']],
  ['of the same cable beside another', [{ servers: ['fe80::1%7', '192.0.2.1'] }], ['192.0.2.1']],
  ['of the same cable alone', [{ servers: ['fe80::1%7'] }], ['fe80::1%7']],
])('the servers of the adapters: %s', (_what, adapters, expected) => {
  // Each as it is found is an address for whoever asks it.
  for (const address of expected)
    new SocketAddress({ address: address.split('%')[0] as string, family: address.includes(':') ? 'ipv6' : 'ipv4' });
  expect(found(adapters)).toEqual([expected]);
});

test('DNS servers are read at each call, because networks change', () => {
  expect(found([], [{ servers: ['192.0.2.1'] }], [{ servers: ['198.51.100.1'] }])).toEqual([[], ['192.0.2.1'], ['198.51.100.1']]);
});

test('a grown adapter table is read again, and an unreadable one is empty', () => {
  const large = table([{ servers: ['192.0.2.1'] }]);
  const sizes: number[] = [];
  const addresses = (_family: number, _flags: number, _none: null, buffer: Buffer, size: number[]) => {
    sizes.push(buffer.length);
    if (sizes.length > 1) return large.copy(buffer) && 0;
    size[0] = 100_000;
    return 111;
  };
  expect(networkServers({ addresses: addresses as never, addressOf: () => at })()).toEqual(['192.0.2.1']);
  expect(sizes).toEqual([32_768, 100_000]);
  for (const status of [5, 111, 232]) expect(networkServers({ addresses: (() => status) as never, addressOf: () => at })()).toEqual([]);
});

test('a damaged adapter table never throws or loops', () => {
  const good = table([{ servers: ['192.0.2.1', '2001:db8::1'] }, { servers: ['192.0.2.2'] }]).subarray(0, 1024);
  const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(change, fc.nat(good.length), (changes, length) => {
      const bad = Buffer.from(good);
      for (const [offset, value] of changes) bad[offset] = value;
      readAdapterTable(bad, at);
      readAdapterTable(bad.subarray(0, length), at);
    }),
    { numRuns: 500 },
  );
});
