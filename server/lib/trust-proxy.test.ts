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
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('attempts from %s are counted for %s', (ip, caller) => {
  expect(callerOf(ip)).toBe(caller);
});
