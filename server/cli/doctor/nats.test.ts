import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerGateways } from '../../features/agents/polls/remote-polls.ts';
import { connectNats } from '../../integrations/nats/nats.ts';
import { type NatsServer, natsServerIsMissing, startNatsServer } from '../../testing/nats-server.ts';
import { type OperatedServer, operatedServer } from '../../testing/operated-server.ts';
import { until } from '../../testing/world.ts';

describe.skipIf(natsServerIsMissing('what doctor says of NATS'))('doctor with NATS_URL', () => {
  let operated: OperatedServer;
  let natsServer: NatsServer;
  beforeAll(async () => {
    [operated, natsServer] = [await operatedServer(), await startNatsServer()];
  });
  afterAll(async () => {
    await natsServer?.close();
    await operated?.close();
  });

  test('a gateway is asked for nothing that it does not have, and learns whether a server with a database answers', async () => {
    const env = { ROLE: 'gateway', NATS_URL: natsServer.url };
    const alone = await operated.checks([], { env });
    expect([...alone.keys()]).toEqual(['settings.valid', 'computer.node', 'nats.connection']);
    expect(alone.get('nats.connection')).toMatchObject({ state: 'error', text: expect.stringContaining('ROLE=web or ROLE=all') });
    const nats = connectNats(natsServer.url, { log: { info() {}, warn() {}, error() {} }, name: 'server' });
    try {
      answerGateways(nats, operated.server.app.polls);
      await until('the server to answer at NATS', async () => nats.isConnected());
      expect((await operated.checks([], { env })).get('nats.connection')).toMatchObject({
        state: 'ok',
        text: expect.stringContaining('a server with a database answers'),
      });
    } finally {
      await nats.close();
    }
  });

  test('another server gets one line more, and without NATS_URL none', async () => {
    const [withNats, without] = [await operated.checks([], { env: { NATS_URL: natsServer.url } }), await operated.checks()];
    expect(withNats.get('nats.connection')).toMatchObject({ state: 'ok' });
    expect([...withNats.keys()].filter((id) => id !== 'nats.connection')).toEqual([...without.keys()]);
    expect(without.has('nats.connection')).toBe(false);
  });

  test('NATS that does not answer is an error with its address and without its password', async () => {
    const checks = await operated.checks([], { env: { NATS_URL: 'nats://porchlight:hidden-word@127.0.0.1:1' } });
    expect(checks.get('nats.connection')).toMatchObject({ state: 'error', text: expect.stringContaining('127.0.0.1:1') });
    expect(checks.get('nats.connection')?.text).not.toContain('hidden-word');
    expect(checks.get('database.connection')).toMatchObject({ state: 'ok' });
  });
});
