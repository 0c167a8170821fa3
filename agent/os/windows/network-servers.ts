import { readAdapterTable } from './adapter-table.ts';
import { type Adapters, loadAdapters } from './native/adapters.ts';

const anyFamily = 0;
/** Neither the addresses that an adapter has itself, nor groups, nor what people call it. */
const onlyServers = 0x1 | 0x2 | 0x4 | 0x20;
const [done, tooSmall] = [0, 111];
/** Windows says these of every adapter that has no server for IPv6; nobody answers there. */
const noServer = /^fec0:0:0:ffff::[123](%|$)/;
/** Of the same cable: only with the adapter behind it, which not everything takes. */
const linkLocal = /^fe[89ab][0-9a-f]:/;

/**
 * The servers for names that this computer's network adapters have, each once, in the order in which they are used. Read anew at each call: Node
 * knows only those of when it started, and on Windows not even these (nodejs/node#62748). Empty when there are none, or they cannot be read.
 */
export function networkServers(adapters: Pick<Adapters, 'addresses' | 'addressOf'> = loadAdapters()): () => string[] {
  let buffer = Buffer.alloc(32 << 10);
  return () => {
    for (let tries = 0; tries < 5; tries++) {
      const size = [buffer.length];
      const status = adapters.addresses(anyFamily, onlyServers, null, buffer, size);
      if (status === done) return inOrder(readAdapterTable(buffer, adapters.addressOf(buffer)));
      if (status !== tooSmall) return [];
      buffer = Buffer.alloc(Math.max(size[0] ?? 0, buffer.length * 2));
    }
    return [];
  };
}

function inOrder(servers: ReturnType<typeof readAdapterTable>): string[] {
  const sorted = servers.toSorted((one, other) => one.metric - other.metric).map(({ address }) => address);
  const all = [...new Set(sorted)].filter((address) => !noServer.test(address));
  const far = all.filter((address) => !linkLocal.test(address));
  return far.length ? far : all;
}
