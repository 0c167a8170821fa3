import { createSocket } from 'node:dgram';
import { emptyAnswer } from '../dns-filter/dns/answer.ts';
import { readQuery } from '../dns-filter/dns/query.ts';

/** The DNS server of a network in which every name has the address `everyName`. Listens on port 53 until the process ends. */
export async function startNetworkDns(address: string, everyName = '192.0.2.1'): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (packet, from) => {
    const query = readQuery(packet);
    if (typeof query === 'number') return;
    const answer = Buffer.concat([
      emptyAnswer(packet, { ...query, edns: false }, 0),
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, ...everyName.split('.').map(Number)]),
    ]);
    answer[7] = 1;
    socket.send(query.type === 1 ? answer : emptyAnswer(packet, query, 0), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(53, address, resolve));
}
