import { readAdapterTable } from './adapter-table.ts';
import { type Adapters, loadAdapters } from './native/adapters.ts';

const AF_UNSPEC = 0;
/** Flags to skip unicast, anycast and multicast addresses, and friendly names. */
const serverFlags = 0x1 | 0x2 | 0x4 | 0x20;
const [successStatus, tooSmallStatus] = [0, 111];
/** Windows lists these addresses for adapters without an IPv6 server; no server answers there. */
const noServerPattern = /^fec0:0:0:ffff::[123](%|$)/;
/** Such an address needs a zone, which not every program accepts. */
const linkLocalPattern = /^fe[89ab][0-9a-f]:/;

/**
 * The adapters' DNS servers by metric, without duplicates; empty when unreadable. Read at each call: Node knows only the servers at its
 * start, and on Windows not even those (nodejs/node#62748).
 */
export function networkServers(adapters: Pick<Adapters, 'addresses' | 'addressOf'> = loadAdapters()): () => string[] {
  let buffer = Buffer.alloc(32 << 10);
  return () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const size = [buffer.length];
      const status = adapters.addresses(AF_UNSPEC, serverFlags, null, buffer, size);
      if (status === successStatus) return sortByMetric(readAdapterTable(buffer, adapters.addressOf(buffer)));
      if (status !== tooSmallStatus) return [];
      buffer = Buffer.alloc(Math.max(size[0] ?? 0, buffer.length * 2));
    }
    return [];
  };
}

function sortByMetric(servers: ReturnType<typeof readAdapterTable>): string[] {
  const sorted = servers.toSorted((one, other) => one.metric - other.metric).map(({ address }) => address);
  const addresses = [...new Set(sorted)].filter((address) => !noServerPattern.test(address));
  const routableAddresses = addresses.filter((address) => !linkLocalPattern.test(address));
  return routableAddresses.length ? routableAddresses : addresses;
}
