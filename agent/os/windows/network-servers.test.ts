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
const tableAddress = 0x7ff0_0000_0000n;

/** An adapter table as GetAdaptersAddresses writes it. */
function buildTable(adapters: Adapter[]): Buffer {
  const buffer = Buffer.alloc(8192);
  let tableEnd = 0;
  const allocate = (length: number) => {
    const start = tableEnd;
    tableEnd += Math.ceil(length / 8) * 8;
    return start;
  };
  const writePointer = (from: number, to: number) => buffer.writeBigUInt64LE(tableAddress + BigInt(to), from);
  let previousAdapter: number | null = null;
  for (const { servers, up = true, loopback = false, metrics = [25, 25] } of adapters) {
    const adapter = allocate(376);
    if (previousAdapter !== null) writePointer(previousAdapter + 8, adapter);
    previousAdapter = adapter;
    buffer.writeUInt32LE(loopback ? 24 : 6, adapter + 100);
    buffer.writeUInt32LE(up ? 1 : 2, adapter + 104);
    for (const [n, metric] of metrics.entries()) buffer.writeUInt32LE(metric, adapter + 216 + n * 4);
    let linkOffset = adapter + 48;
    for (const server of servers) {
      const [entry, socket] = [allocate(32), allocate(28)];
      writePointer(linkOffset, entry);
      linkOffset = entry + 8;
      writePointer(entry + 16, socket);
      const [address = '', zone = '0'] = server.split('%');
      const isIpv6 = address.includes(':');
      buffer.writeInt32LE(isIpv6 ? 28 : 16, entry + 24);
      buffer.writeUInt16LE(isIpv6 ? 23 : 2, socket);
      if (isIpv6) buffer.set(bytesOf(address), socket + 8);
      else buffer.set(address.split('.').map(Number), socket + 4);
      if (isIpv6) buffer.writeUInt32LE(Number(zone), socket + 24);
    }
  }
  return buffer;
}

/** The bytes of an IPv6 address with at most one `::`. */
function bytesOf(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

/** The DNS servers found at successive calls, with an adapter table for each call. */
function serversAtCalls(...adapterLists: Adapter[][]): string[][] {
  let currentAdapters: Adapter[] = [];
  const servers = networkServers({
    addresses: ((_addressType: number, _flags: number, _reserved: null, buffer: Buffer) => (
      buildTable(currentAdapters).copy(buffer), 0
    )) as never,
    addressOf: () => tableAddress,
  });
  return adapterLists.map((adapters) => {
    currentAdapters = adapters;
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
])('the DNS servers of Windows network adapters are found: %s', (_case, adapters, expected) => {
  for (const address of expected)
    new SocketAddress({ address: address.split('%')[0] as string, family: address.includes(':') ? 'ipv6' : 'ipv4' });
  expect(serversAtCalls(adapters)).toEqual([expected]);
});

test('the DNS servers of Windows are read at each call, because networks change', () => {
  expect(serversAtCalls([], [{ servers: ['192.0.2.1'] }], [{ servers: ['198.51.100.1'] }])).toEqual([[], ['192.0.2.1'], ['198.51.100.1']]);
});

test('an adapter table that outgrew the buffer is read again, and an unreadable table yields no DNS servers', () => {
  const largeTable = buildTable([{ servers: ['192.0.2.1'] }]);
  const sizes: number[] = [];
  const addresses = (_addressType: number, _flags: number, _reserved: null, buffer: Buffer, size: number[]) => {
    sizes.push(buffer.length);
    if (sizes.length > 1) return largeTable.copy(buffer) && 0;
    size[0] = 100_000;
    return 111;
  };
  expect(networkServers({ addresses: addresses as never, addressOf: () => tableAddress })()).toEqual(['192.0.2.1']);
  expect(sizes).toEqual([32_768, 100_000]);
  for (const status of [5, 111, 232])
    expect(networkServers({ addresses: (() => status) as never, addressOf: () => tableAddress })()).toEqual([]);
});

test('a damaged adapter table never throws or loops', () => {
  const validTable = buildTable([{ servers: ['192.0.2.1', '2001:db8::1'] }, { servers: ['192.0.2.2'] }]).subarray(0, 1024);
  const changeArbitrary = fc.array(fc.tuple(fc.nat(validTable.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(changeArbitrary, fc.nat(validTable.length), (changes, length) => {
      const damagedTable = Buffer.from(validTable);
      for (const [offset, value] of changes) damagedTable[offset] = value;
      readAdapterTable(damagedTable, tableAddress);
      readAdapterTable(damagedTable.subarray(0, length), tableAddress);
    }),
    { numRuns: 500 },
  );
});
