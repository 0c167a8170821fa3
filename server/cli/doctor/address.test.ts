import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { after } from '../../lib/clock.ts';
import { failingDns, type OperatedServer, operatedServer } from '../../testing/operated-server.ts';
import { until } from '../../testing/world.ts';

let operated: OperatedServer;
beforeAll(async () => {
  operated = await operatedServer();
});
afterAll(() => operated.close());

const clockAt = (now: Date) => ({ now: () => now });

test('a certificate of an unknown authority is an error', async () => {
  const checks = await operated.checks([], { network: { authorities: [] } });
  expect(checks.get('address.certificate')).toMatchObject({ state: 'error', text: expect.stringContaining('signed by itself') });
});

test('a certificate for another name is an error', async () => {
  const PUBLIC_URL = operated.front.url.replace('porchlight', 'other');
  expect((await operated.checks([], { env: { PUBLIC_URL } })).get('address.certificate')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('another name'),
  });
});

test.each([
  [30, 'ok'],
  [20, 'warning'],
  [2, 'error'],
])('a certificate that is valid for %i more days is: %s', async (days, state) => {
  // It was made for 60 days, some seconds ago.
  const clock = clockAt(after(new Date(), (60 - days) * 24 * hour - hour));
  expect((await operated.checks([], { clock })).get('address.certificate')).toMatchObject({
    state,
    text: expect.stringContaining(`${days} more days`),
  });
});

test.each([
  ['another service', { status: 200, body: 'hello' }, 'error'],
  ['a server without its database', { status: 503, body: '{"ok":false}' }, 'error'],
  ['a redirection', { status: 301, body: '', headers: { location: 'https://www.porchlight.test' } }, 'error'],
  ['nothing behind the proxy', null, 'error'],
])('a public address with %s is an error, and what cannot be seen from it is not known', async (_name, reply, state) => {
  const answered = await operatedBehind(async () => reply);
  expect(answered.get('address.service')).toMatchObject({ state });
  expect(answered.get('address.identity')).toMatchObject({ state: 'unknown' });
});

test('a public address where a server with another database answers is an error', async () => {
  const config = { host: operated.front.url, push: { public_key: 'another key', simulator: null } };
  const page = { status: 200, body: `<script type="application/json" id="config">${JSON.stringify(config)}</script>` };
  expect((await operatedBehind(async () => page)).get('address.identity')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('another database'),
  });
});

async function operatedBehind(answer: Parameters<OperatedServer['front']['answerBy']>[0]) {
  const restore = operated.front.current();
  operated.front.answerBy(answer);
  return operated.checks().finally(() => operated.front.answerBy(restore));
}

test('a name without an address in DNS is an error', async () => {
  const checks = await operated.checks([], { network: { addressesOf: failingDns('ENOTFOUND') } });
  expect(checks.get('address.name')).toMatchObject({ state: 'error', text: expect.stringContaining('ENOTFOUND') });
});

test('[P18.3] a header of the proxy that cannot be read is an error that names it as it came, for a week', async () => {
  const { server } = operated;
  const seen = async (header: string) => {
    await server.call('GET /web/profile', { headers: { 'x-forwarded-for': header } });
    return (await operated.checks([], { clock: server.clock })).get('address.callers');
  };
  expect(await seen('198.51.100.8:4711')).toMatchObject({ state: 'ok' });
  await server.call('POST /login/web', {
    body: { email: 'a@example.org', password: 'x' },
    headers: { 'x-forwarded-for': '_hidden, by=9' },
  });
  await until('the header to be stored', async () => (await seen('198.51.100.8'))?.state === 'error');
  expect(await seen('198.51.100.8')).toMatchObject({ state: 'error', text: expect.stringContaining('"_hidden, by=9"') });
  expect((await operated.checks([], { env: { TRUST_PROXY: 'off' }, clock: server.clock })).get('address.callers')).toMatchObject({
    state: 'ok',
  });
  server.clock.turn(7 * 24 * hour + 1000);
  expect(await seen('198.51.100.8')).toMatchObject({ state: 'ok' });
});

test('an https address without TRUST_PROXY is an error, because this server speaks no TLS', async () => {
  expect((await operated.checks([], { env: { TRUST_PROXY: 'off' } })).get('address.proxy')).toMatchObject({ state: 'error' });
});
