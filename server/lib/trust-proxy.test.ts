import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';
import { callerOf } from './caller-of.ts';

/** Tries are counted for the address that our own proxy saw, whatever its caller wrote into the header before. */

let one: TestServer;
let two: TestServer;
beforeAll(async () => {
  [one, two] = await Promise.all([testServer(), testServer({ TRUST_PROXY: '2' })]);
});
afterAll(async () => {
  await one.close();
  await two.close();
});

/** The answers to eleven logins, each with another header; ten are let through from one place in five minutes. */
async function logins(server: TestServer, headerOf: (n: number) => string): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 1; n <= 11; n++) {
    const body = { email: `nobody${n}@example.org`, password: 'a wrong password' };
    seen.push((await server.call('POST /login/web', { body, headers: { 'x-forwarded-for': headerOf(n) } })).status);
  }
  return seen;
}
const ten = Array<number>(10).fill(400);

test('[P2.7] what a caller writes in front of what the proxy says changes nothing: the eleventh login is refused', async () => {
  expect(await logins(one, (n) => `198.18.1.${n}, 198.18.20.1`)).toEqual([...ten, 429]);
});

test('[P2.7] behind two proxies it is the address that the outer one saw', async () => {
  expect(await logins(two, (n) => `198.18.1.${n}, 198.18.20.2, 10.0.0.1`)).toEqual([...ten, 429]);
  expect(await logins(two, (n) => `198.18.2.${n}, 10.0.0.1`)).toEqual([...ten, 400]);
});

test('[P2.7] of IPv6 the whole network of one connection is one caller, and the next network is another', async () => {
  expect(await logins(one, (n) => `2001:db8:0:1:${n}::${n}`)).toEqual([...ten, 429]);
  expect(await logins(one, (n) => `2001:db8:0:${n + 1}::1`)).toEqual([...ten, 400]);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('the tries of %s are those of %s', (ip, caller) => {
  expect(callerOf(ip)).toBe(caller);
});
