import { expect, it } from 'vitest';
import { certificateAuthority } from '../testing/certificates.ts';
import { answerTo, ask, queryFor } from '../testing/dns.ts';
import { networkAddress, protectedFilterForTest, serviceAddress, tlsServiceForTest } from '../testing/tls-dns.ts';

it('[P12.1] with a protective resolver chosen its answers are given, over one connection, and the network is not asked', async () => {
  const { network, protective, address } = await protectedFilterForTest();
  const names = Array.from({ length: 50 }, (_, n) => `n${n}.example`);
  expect(new Set(await Promise.all(names.map(address)))).toEqual(new Set([serviceAddress]));
  expect(protective.asked.toSorted()).toEqual(names.toSorted());
  expect([protective.connections, network.asked]).toEqual([1, []]);
});

it('[P12.1] a name that the filter blocks is not looked up at the protective resolver', async () => {
  const { network, protective, address, filter } = await protectedFilterForTest();
  expect(await address('www.evil.test')).toBe('0.0.0.0');
  expect([protective.asked, network.asked, filter.tried.length]).toEqual([[], [], 1]);
});

it('[P12.1] a name that the protective resolver blocks gets its answer, and nothing is reported', async () => {
  const { network, protective, filter } = await protectedFilterForTest();
  protective.handle = (packet, send) =>
    send(answerTo(packet, packet.includes('gone') ? { code: 3, addresses: [] } : { addresses: ['0.0.0.0'] }));
  expect(await ask(filter.socketAddress, queryFor('gone.example'))).toMatchObject({ code: 3, addresses: [] });
  expect((await ask(filter.socketAddress, queryFor('nowhere.example'))).addresses).toEqual(['0.0.0.0']);
  expect([network.asked, filter.tried]).toEqual([[], []]);
});

it('[P12.1] without a choice, and after it is taken back, names are looked up at the network, and no cached answer of the other remains', async () => {
  const { network, protective, filter, address } = await protectedFilterForTest();
  expect(await address('one.example')).toBe(serviceAddress);
  filter.take({ kind: 'resolver', resolver: null });
  expect(await address('one.example')).toBe(networkAddress);
  filter.take({ kind: 'resolver', resolver: null });
  expect(await address('one.example')).toBe(networkAddress);
  expect(network.asked).toEqual(['one.example']);
  filter.take({ kind: 'resolver', resolver: protective.service });
  expect(await address('one.example')).toBe(serviceAddress);
});

it('[P12.1] an answer of the network that was on its way when the resolver was chosen is not cached', async () => {
  const { network, protective, filter, address } = await protectedFilterForTest();
  filter.take({ kind: 'resolver', resolver: null });
  network.answer = () => {
    filter.take({ kind: 'resolver', resolver: protective.service });
    return {};
  };
  expect(await address('one.example')).toBe(networkAddress);
  expect(await address('one.example')).toBe(serviceAddress);
});

const yesterday = new Date(Date.now() - 24 * 3_600_000);

it.each([
  ['for another host', (authority) => authority.certificateFor('other.example')],
  ['that has expired', (authority, host) => authority.certificateFor(host, yesterday)],
  ['of another authority', (_authority, host) => certificateAuthority().certificateFor(host)],
] satisfies [string, Parameters<typeof tlsServiceForTest>[0]][])(
  '[P12.1] a service with a certificate %s is not asked, and the network answers at once',
  async (_what, certify) => {
    const { network, protective, address } = await protectedFilterForTest(await tlsServiceForTest(certify));
    expect([await address('one.example'), await address('two.example')]).toEqual([networkAddress, networkAddress]);
    expect([protective.asked, protective.connections, network.asked]).toEqual([[], 1, ['one.example', 'two.example']]);
  },
);

it('[P12.1] an unreachable address of the service is passed over for the next one', async () => {
  const protective = await tlsServiceForTest();
  protective.service = { ...protective.service, addresses: ['127.0.0.77', '127.0.0.1'] };
  const { address } = await protectedFilterForTest(protective);
  expect(await address('one.example')).toBe(serviceAddress);
});

it('[P12.1] answers that come out of order each reach their own query', async () => {
  const { protective, filter, network } = await protectedFilterForTest();
  const late: (() => void)[] = [];
  protective.handle = (packet, send) => {
    const octet = packet.includes('one') ? 1 : 2;
    late.push(() => send(answerTo(packet, { addresses: [`203.0.113.${octet}`] })));
    if (late.length === 2) for (const answer of late.toReversed()) answer();
  };
  const [one, two] = await Promise.all(['one.example', 'two.example'].map((name) => ask(filter.socketAddress, queryFor(name))));
  expect([one?.addresses, two?.addresses]).toEqual([['203.0.113.1'], ['203.0.113.2']]);
  expect([protective.connections, network.asked]).toEqual([1, []]);
});

it('[P12.1] a message with another id or another question is not taken as the answer, but the right answer after it is', async () => {
  const { protective, address } = await protectedFilterForTest();
  protective.handle = (packet, send) => {
    const forged = { addresses: ['198.51.100.66'] };
    const otherId = answerTo(packet, forged);
    otherId.writeUInt16BE(packet.readUInt16BE(0) ^ 1, 0);
    const sameId = { id: packet.readUInt16BE(0) };
    for (const bytes of [
      otherId,
      answerTo(queryFor('other.example', 1, sameId), forged),
      answerTo(queryFor('one.example', 28, sameId), forged),
    ])
      send(bytes);
    send(Buffer.from([1]));
    send(packet);
    send(answerTo(packet, { addresses: [serviceAddress] }));
  };
  expect(await address('one.example')).toBe(serviceAddress);
});

it('[P12.1] local names, reverse names of private addresses and captive-portal probes never leave the network', async () => {
  const { protective, network, filter } = await protectedFilterForTest();
  const localNames = [
    ...['printer', 'nas.local', 'tv.LAN', 'router.home.arpa', 'git.internal', 'pc.home', 'mail.corp', 'x.intranet', 'a.localdomain'],
    ...['1.1.168.192.in-addr.arpa', '4.3.2.10.in-addr.arpa', '1.0.16.172.in-addr.arpa', '1.0.31.172.in-addr.arpa', '168.192.in-addr.arpa'],
    ...['1.1.254.169.in-addr.arpa', '1.0.0.127.in-addr.arpa', '1.0.64.100.in-addr.arpa', '1.0.127.100.in-addr.arpa'],
    ...[
      '0.0.0.0.d.f.ip6.arpa',
      '1.c.f.ip6.arpa',
      '1.0.8.e.f.ip6.arpa',
      `1.${'0.'.repeat(31)}ip6.arpa`,
      'ipv4only.arpa',
      '_dns.resolver.arpa',
    ],
    ...['captive.apple.com', 'www.msftconnecttest.com', 'connectivitycheck.gstatic.com'],
  ];
  for (const name of localNames) expect((await ask(filter.socketAddress, queryFor(name))).addresses, name).toEqual([networkAddress]);
  expect([protective.asked, network.asked]).toEqual([[], localNames.map((name) => name.toLowerCase())]);
  const publicNames = [
    ...['local.example', 'xlan.example'],
    ...[
      '1.0.32.172.in-addr.arpa',
      '1.0.15.172.in-addr.arpa',
      '8.8.8.8.in-addr.arpa',
      '1.0.63.100.in-addr.arpa',
      '1.0.128.100.in-addr.arpa',
    ],
    ...['1.110.in-addr.arpa', '0.0.8.b.d.0.1.0.0.2.ip6.arpa', '1.home.arpa.example', 'notcaptive.apple.com'],
  ];
  for (const name of publicNames) expect((await ask(filter.socketAddress, queryFor(name))).addresses, name).toEqual([serviceAddress]);
});
