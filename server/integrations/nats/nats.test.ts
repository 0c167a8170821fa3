import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type NatsServer, natsServerIsMissing, startNatsServer } from '../../testing/nats-server.ts';
import { until } from '../../testing/world.ts';
import { connectNats, type Nats } from './nats.ts';
import { NatsAway, RequestFailed } from './request-errors.ts';

async function openServer(args?: string[]): Promise<NatsServer> {
  const server = await startNatsServer(args);
  onTestFinished(() => server.close());
  return server;
}

/** A connection, and what it has logged as one text. */
function open(url: string, ping_ms?: number): { nats: Nats; logged: () => string } {
  const lines: string[] = [];
  const add = (fields: unknown, message?: string) => void lines.push(`${message ?? fields} ${JSON.stringify(fields)} ${errorText(fields)}`);
  const log = { info: add, warn: add, error: add };
  const nats = connectNats(url, { log, name: 'test', ...(ping_ms === undefined ? {} : { ping_ms }) });
  onTestFinished(() => nats.close());
  return { nats, logged: () => lines.join('\n') };
}

const errorText = (fields: unknown) => String((fields as { err?: Error }).err?.stack ?? '');
const connected = (nats: Nats) => until('the connection to NATS', () => nats.isConnected());
const whyAway = async (answer: Promise<string>) => {
  const err: unknown = await answer.catch((reason: unknown) => reason);
  return err instanceof NatsAway ? err.why : err;
};
const subject = 'porchlight.test';
/** No test waits this long. */
const long_ms = 60_000;

describe.skipIf(natsServerIsMissing('the connection to NATS'))('with a real nats-server,', () => {
  test('events reach subscribers, also those after the server of NATS was killed and started again', async () => {
    const server = await openServer();
    const [sender, receiver] = [open(server.url).nats, open(server.url).nats];
    const texts: string[] = [];
    let connections = 0;
    receiver.subscribe(subject, (text) => texts.push(text));
    receiver.onConnected(() => connections++);
    await Promise.all([connected(sender), connected(receiver)]);
    sender.publish(subject, 'before');
    sender.publish('porchlight.other', 'of another subject');
    await until('the first event', () => texts.length === 1);
    await server.kill();
    await until('both connections to be lost', () => !sender.isConnected() && !receiver.isConnected());
    sender.publish(subject, 'while away');
    await server.start();
    await Promise.all([connected(sender), connected(receiver)]);
    sender.publish(subject, 'after');
    await until('the event after the restart', () => texts.includes('after'));
    expect(texts).toEqual(['before', 'after']);
    expect(connections).toBe(2);
  });

  test('a connection that was made before there was a server of NATS, is there once it starts', async () => {
    const server = await openServer();
    await server.kill();
    const { nats, logged } = open(server.url);
    const texts: string[] = [];
    nats.subscribe(subject, (text) => texts.push(text));
    expect(await whyAway(nats.request(subject, '', long_ms))).toBe('not_connected');
    await until('the failed first attempt', () => logged().includes('no connection'));
    await server.start();
    await connected(nats);
    nats.publish(subject, 'first');
    await until('the event', () => texts.length > 0);
    expect(texts).toEqual(['first']);
  });

  test('a request is answered, and its text and answer may have any characters', async () => {
    const server = await openServer();
    const [asking, answering] = [open(server.url).nats, open(server.url).nats];
    answering.respond(subject, 'servers', async (text) => `${text} – søk\n`);
    await Promise.all([connected(asking), connected(answering)]);
    expect(await asking.request(subject, 'ß€😀', long_ms)).toBe('ß€😀 – søk\n');
    expect(await asking.request(subject, '', long_ms)).toBe(' – søk\n');
  });

  test('a request that nobody answers is rejected at once, and later when it is not answered in time', async () => {
    const server = await openServer();
    const [asking, answering] = [open(server.url).nats, open(server.url).nats];
    await Promise.all([connected(asking), connected(answering)]);
    expect(await whyAway(asking.request(subject, '', long_ms))).toBe('no_responder');
    const never = Promise.withResolvers<string>();
    onTestFinished(() => never.resolve(''));
    answering.respond(subject, 'servers', () => never.promise);
    answering.respond('porchlight.answered', 'servers', async () => 'yes');
    await until('the responder', async () => (await whyAway(asking.request('porchlight.answered', '', long_ms))) === 'yes');
    expect(await whyAway(asking.request(subject, '', 50))).toBe('timeout');
  });

  test('a request while the server of NATS is away is rejected at once, a request under way too, and a request afterwards is answered', async () => {
    const server = await openServer();
    const [asking, answering] = [open(server.url).nats, open(server.url).nats];
    const never = Promise.withResolvers<string>();
    let answers = 0;
    answering.respond(subject, 'servers', (text) => (text === 'slow' ? (answers++, never.promise) : Promise.resolve('yes')));
    await Promise.all([connected(asking), connected(answering)]);
    const pending = whyAway(asking.request(subject, 'slow', long_ms));
    await until('the request to arrive', () => answers === 1);
    await server.kill();
    expect(await pending).toBe('connection_lost');
    never.resolve('too late');
    expect(await whyAway(asking.request(subject, '', long_ms))).toBe('not_connected');
    await server.start();
    await Promise.all([connected(asking), connected(answering)]);
    expect(await asking.request(subject, '', long_ms)).toBe('yes');
  });

  test('a handler that throws rejects the request without its message, and the next request is answered', async () => {
    const server = await openServer();
    const asking = open(server.url).nats;
    const { nats: answering, logged } = open(server.url);
    answering.respond(subject, 'servers', async (text) => {
      if (text === 'bad') throw new Error('of Ann Example');
      return text === 'long' ? 'x'.repeat(2_000_000) : 'yes';
    });
    await Promise.all([connected(asking), connected(answering)]);
    const err: unknown = await asking.request(subject, 'bad', long_ms).catch((reason: unknown) => reason);
    expect(err).toBeInstanceOf(RequestFailed);
    expect(String(err)).not.toContain('Ann');
    expect(logged()).toContain('of Ann Example');
    await expect(asking.request(subject, 'long', long_ms)).rejects.toBeInstanceOf(RequestFailed);
    expect(await asking.request(subject, 'good', long_ms)).toBe('yes');
  });

  test('a subscriber that throws is logged, and it and others get the next events', async () => {
    const server = await openServer();
    const { nats, logged } = open(server.url);
    const texts: string[] = [];
    nats.subscribe(subject, (text) => {
      texts.push(text);
      throw new Error('thrown by the subscriber');
    });
    await connected(nats);
    nats.publish(subject, 'one');
    nats.publish(subject, 'two');
    await until('both events', () => texts.length === 2);
    expect(logged()).toContain('thrown by the subscriber');
    expect(nats.isConnected()).toBe(true);
  });

  test('each request is answered by one of the processes of a queue', async () => {
    const server = await openServer();
    const asking = open(server.url).nats;
    const answering = [open(server.url).nats, open(server.url).nats];
    const taken: string[] = [];
    for (const [n, nats] of answering.entries())
      nats.respond(subject, 'servers', async (text) => {
        taken.push(text);
        return String(n);
      });
    await Promise.all([asking, ...answering].map(connected));
    const texts = Array.from({ length: 40 }, (_, n) => String(n));
    const by = await Promise.all(texts.map((text) => asking.request(subject, text, long_ms)));
    expect(taken.toSorted()).toEqual(texts.toSorted());
    expect(new Set(by)).toEqual(new Set(['0', '1']));
  });

  test('under a flood of requests 32 run and 256 wait, the others are refused at once as busy, and all that wait are answered', async () => {
    const server = await openServer();
    const [asking, answering] = [open(server.url).nats, open(server.url).nats];
    const begin = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    answering.respond(subject, 'servers', async (text) => {
      most = Math.max(most, ++running);
      await begin.promise;
      running--;
      return text;
    });
    await Promise.all([connected(asking), connected(answering)]);
    let refused = 0;
    const outcomes = Array.from({ length: 2_000 }, async (_, n) => {
      const outcome = await whyAway(asking.request(subject, String(n), long_ms));
      if (outcome === 'busy') refused++;
      return outcome === String(n) ? 'answered' : outcome;
    });
    await until('requests to be refused', () => refused === 2_000 - 32 - 256);
    expect(running).toBe(32);
    begin.resolve();
    const all = await Promise.all(outcomes);
    expect(all.filter((outcome) => outcome === 'answered')).toHaveLength(32 + 256);
    expect(all.filter((outcome) => outcome === 'busy')).toHaveLength(refused);
    expect(most).toBe(32);
    expect(await asking.request(subject, 'after', long_ms)).toBe('after');
  });

  test('a request whose sender no longer waits is not carried out once others have ended', async () => {
    const server = await openServer();
    const [asking, answering] = [open(server.url).nats, open(server.url).nats];
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    // NATS delivers in order, so its answer shows that earlier requests have arrived.
    answering.respond('porchlight.received', 'servers', async () => 'both');
    const begin = Promise.withResolvers<void>();
    const carriedOut: string[] = [];
    answering.respond(subject, 'servers', async (text) => {
      carriedOut.push(text);
      await begin.promise;
      return '';
    });
    await Promise.all([connected(asking), connected(answering)]);
    const first = Array.from({ length: 32 }, () => asking.request(subject, 'running', long_ms));
    await until('all to run', () => carriedOut.length === 32);
    const patient = asking.request(subject, 'waiting', long_ms);
    const late = whyAway(asking.request(subject, 'late', 1_000));
    expect(await asking.request('porchlight.received', '', long_ms)).toBe('both');
    vi.advanceTimersByTime(1_001);
    begin.resolve();
    await Promise.all([...first, patient]);
    expect(await late).toBe('timeout');
    expect(carriedOut.slice(32)).toEqual(['waiting']);
  });

  test('a connection that is closed answers the requests that it has, and sends what it has published', async () => {
    const server = await openServer();
    const [asking, answering] = [open(server.url).nats, open(server.url).nats];
    const begin = Promise.withResolvers<void>();
    let running = 0;
    answering.respond(subject, 'servers', async (text) => {
      if (text === 'probe') return 'still there';
      running++;
      await begin.promise;
      return 'answered';
    });
    const texts: string[] = [];
    asking.subscribe('porchlight.last', (text) => texts.push(text));
    await Promise.all([connected(asking), connected(answering)]);
    const answer = asking.request(subject, '', long_ms);
    await until('the request to run', () => running === 1);
    answering.publish('porchlight.last', 'last');
    const closed = answering.close();
    await until('no responder for new requests', async () => (await whyAway(asking.request(subject, 'probe', 1_000))) === 'no_responder');
    begin.resolve();
    await closed;
    expect(await answer).toBe('answered');
    expect(texts).toEqual(['last']);
    expect(running).toBe(1);
    expect(answering.isConnected()).toBe(false);
  });

  test('a connection whose server of NATS is frozen is given up, and the next one begins with its callback', async () => {
    const server = await openServer();
    const { nats } = open(server.url, 500);
    let connections = 0;
    nats.onConnected(() => connections++);
    await connected(nats);
    server.freeze();
    const before = connections;
    // More than the operating system takes for a process that does not read.
    const pending = Array.from({ length: 30 }, () => whyAway(nats.request(subject, 'x'.repeat(900_000), long_ms)));
    await until('the frozen server to be noticed', () => !nats.isConnected());
    const outcomes = new Set(await Promise.all(pending));
    // The signal takes a moment, in which the server of NATS still answers that nobody responds.
    outcomes.delete('no_responder');
    expect(outcomes).toEqual(new Set(['connection_lost']));
    server.continue();
    await until('the next connection', () => nats.isConnected() && connections > before, 20_000);
  });

  test('a user and password of the address are used, and never logged, also when they are wrong', async () => {
    const server = await openServer(['--user', 'porchlight', '--pass', 's3cret@pass']);
    const address = (password: string) => server.url.replace('//', `//porchlight:${encodeURIComponent(password)}@`);
    const right = open(address('s3cret@pass'));
    const wrong = open(address('wr0ng-pass'));
    await connected(right.nats);
    await until('the refusal', () => wrong.logged().includes('Authorization'));
    expect(wrong.nats.isConnected()).toBe(false);
    await server.kill();
    await until('the loss', () => right.logged().includes('is lost'));
    expect(right.logged() + wrong.logged()).not.toMatch(/s3cret|wr0ng/);
  });

  test('an address with tls:// never connects without TLS', async () => {
    const server = await openServer();
    const plain = open(server.url);
    const secure = open(server.url.replace('nats:', 'tls:'));
    await connected(plain.nats);
    await until('the failed attempt', () => secure.logged().includes('no connection'));
    expect(secure.nats.isConnected()).toBe(false);
  });
});

test('a connection to a server that never answers is closed within seconds', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const { nats } = open(`nats://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await until('the first attempt', () => sockets.length > 0);
  await nats.close();
  expect(nats.isConnected()).toBe(false);
});
