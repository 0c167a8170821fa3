import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

/** A name server that has one address for every name that it is asked for. */
export interface DnsServer {
  port: number;
  /** In lower case. */
  asked: string[];
  close(): void;
}

export async function startDnsServer(address = '192.0.2.1'): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    asked.push(labels.join('.').toLowerCase());
    const answer = Buffer.concat([
      query.subarray(0, at + 5),
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]),
    ]);
    answer.writeUInt16BE(0x8180, 2);
    for (const [place, count] of [1, 1, 0, 0].entries()) answer.writeUInt16BE(count, 4 + place * 2);
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { port: socket.address().port, asked, close: () => void socket.close() };
}

/** Asks over UDP, as any program of the computer does; the first address. */
export async function addressOf(name: string, port: number): Promise<string> {
  const resolver = new Resolver({ timeout: 3000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return (await resolver.resolve4(name))[0] ?? '';
}
