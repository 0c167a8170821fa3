import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

/** A DNS server with the same address for every name. */
export interface DnsServer {
  port: number;
  /** The requested names in lower case. */
  asked: string[];
  close(): void;
}

export async function startDnsServer(address = '192.0.2.1'): Promise<DnsServer> {
  const requestedNames: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    const labels: string[] = [];
    let offset = 12;
    for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
      labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
      offset += 1 + length;
    }
    requestedNames.push(labels.join('.').toLowerCase());
    const answer = Buffer.concat([
      query.subarray(0, offset + 5),
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]),
    ]);
    answer.writeUInt16BE(0x8180, 2);
    for (const [index, count] of [1, 1, 0, 0].entries()) answer.writeUInt16BE(count, 4 + index * 2);
    socket.send(answer, sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, asked: requestedNames, close: () => void socket.close() };
}

/** The first address of a name, over UDP as ordinary programs ask. */
export async function addressOf(name: string, port: number): Promise<string> {
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return (await resolver.resolve4(name))[0] ?? '';
}
