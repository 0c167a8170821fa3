import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';
import { callerOf } from './caller-of.ts';

/** Attempts are counted by the address that our own proxy saw, whatever the caller wrote into the header. */

let proxyServer: TestServer;
let twoProxyServer: TestServer;
beforeAll(async () => {
  [proxyServer, twoProxyServer] = await Promise.all([testServer(), testServer({ TRUST_PROXY: '2' })]);
});
afterAll(async () => {
  await proxyServer.close();
  await twoProxyServer.close();
});

/** Each login has another header; the limit is ten in five minutes per address. */
async function logins(server: TestServer, headerOf: (n: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 1; n <= 11; n++) {
    const body = { email: `nobody${n}@example.org`, password: 'a wrong password' };
    statuses.push((await server.call('POST /login/web', { body, headers: { 'x-forwarded-for': headerOf(n) } })).status);
  }
  return statuses;
}
const ten = Array<number>(10).fill(400);

test('[P2.7] a forged address in the forwarding header does not evade the limit: the eleventh login is refused', async () => {
  expect(await logins(proxyServer, (n) => `198.18.1.${n}, 198.18.20.1`)).toEqual([...ten, 429]);
});

test('[P2.7] behind two proxies, attempts are counted by the address that the outer proxy saw', async () => {
  expect(await logins(twoProxyServer, (n) => `198.18.1.${n}, 198.18.20.2, 10.0.0.1`)).toEqual([...ten, 429]);
  expect(await logins(twoProxyServer, (n) => `198.18.2.${n}, 10.0.0.1`)).toEqual([...ten, 400]);
});

test('[P2.7] all addresses of an IPv6 /64 network count as one caller, and the next network as another caller', async () => {
  expect(await logins(proxyServer, (n) => `2001:db8:0:1:${n}::${n}`)).toEqual([...ten, 429]);
  expect(await logins(proxyServer, (n) => `2001:db8:0:${n + 1}::1`)).toEqual([...ten, 400]);
});

test.each([
  ['a port', (n: number) => `198.18.3.8:${40_000 + n}`, (n: number) => `198.18.3.${100 + n}:40001`],
  ['brackets and a port', (n: number) => `[2001:db8:1:2::${n}]:${40_000 + n}`, (n: number) => `[2001:db8:1:${100 + n}::1]:40001`],
  ['brackets', (n: number) => `[2001:db8:1:3::${n}]`, (n: number) => `[2001:db8:2:${100 + n}::1]`],
  ['quotation marks', (n: number) => `"198.18.4.8:${40_000 + n}"`, (n: number) => `"198.18.4.${100 + n}"`],
  ['IPv4 in IPv6', (n: number) => `[::ffff:198.18.5.8]:${40_000 + n}`, (n: number) => `::ffff:198.18.5.${100 + n}`],
])('[P18.3] [P2.7] an address that a proxy writes with %s counts as the address, and another one as another', async (_how, same, other) => {
  expect(await logins(proxyServer, same)).toEqual([...ten, 429]);
  expect(await logins(proxyServer, other)).toEqual([...ten, 400]);
});

test('[P18.3] [P2.7] callers whose address cannot be read count as one, behind each proxy', async () => {
  expect(await logins(proxyServer, (n) => `_hidden${n}`)).toEqual([...ten, 429]);
  expect(await logins(twoProxyServer, (n) => `nonsense:${n}, 198.18.30.1`)).toEqual([...ten, 429]);
  expect(await logins(twoProxyServer, (n) => `nonsense, 198.18.31.${n}`)).toEqual([...ten, 400]);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('attempts from %s are counted for %s', (ip, caller) => {
  expect(callerOf(ip)).toBe(caller);
});
