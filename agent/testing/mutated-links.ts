import { Agent, request } from 'node:http';
import { type HandOver, linkUri } from '@porchlight/contract/loopback.ts';
import { newKeyPair, signText } from '@porchlight/definitions/signature.ts';
import { caller } from '../api/call.ts';
import { pinKeys } from '../api/enrol.ts';
import { linking } from '../link/linking.ts';
import { questions } from '../link/ownership-question.ts';
import { openStore } from '../state/store.ts';
import { startLoopback } from '../ui/loopback/server.ts';
import { type TestServer, testServer } from './server.ts';

/** Numbers below `n`, the same again from the same seed (mulberry32). */
function numbers(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** A link, each good but for one thing. */
function mutations(server: TestServer, below: (n: number) => number): ((good: HandOver) => HandOver)[] {
  const signed = (uri: string, key = server.keys.link): HandOver => ({ uri, signature: signText(uri, key) });
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_%&=?/: \u0000é';
  const changed = (text: string): string => {
    const at = below(text.length);
    const letter = letters[below(letters.length)] ?? 'x';
    const kind = below(4);
    if (kind === 0 && text[at] !== letter) return text.slice(0, at) + letter + text.slice(at + 1);
    if (kind === 1) return text.slice(0, at) + text.slice(at + 1);
    if (kind === 2) return text.slice(0, at) + letter + text.slice(at);
    return text.slice(0, at);
  };
  const parts = { server: server.url, code: 'ABCD-EFGH', exp: Math.floor(Date.now() / 1000) + 600, nonce: 'n' };
  const soon = Math.floor(Date.now() / 1000);
  return [
    (good) => ({ ...good, uri: changed(good.uri) }),
    (good) => ({ ...good, signature: changed(good.signature) }),
    ({ uri }) => signed(uri, newKeyPair()),
    ({ uri }) => signed(uri, server.keys.policy),
    // Truly signed, and of no use all the same.
    () => signed(linkUri({ ...parts, exp: soon - below(1_000_000) })),
    () => signed(linkUri({ ...parts, server: `${server.url}${['/', '.evil.example', '0', '@evil.example'][below(4)]}` })),
    ({ uri }) => signed(`${uri}&${['server', 'code', 'exp', 'nonce', 'other'][below(5)]}=x`),
    ({ uri }) => signed(uri.replace(/(server|code|exp|nonce)=[^&]*&?/, '')),
    ({ uri }) => signed(uri.replace('porchlight:', ['http:', 'PORCHLIGHT:', ' porchlight:', ''][below(4)] ?? '')),
  ];
}

/**
 * Hands `count` links over to an agent's own code through its loopback port, of which it must take none; then a good one, which it takes once.
 * Answers what went wrong, a sentence each. `seed`: the same links again.
 */
export async function linkTrial(folder: string, count: number, seed: number): Promise<string[]> {
  const server = await testServer();
  const store = await openStore(folder);
  const info = () => ({ name: 'x', platform: 'linux' as const, os_version: '1', arch: 'x64', time_zone: 'UTC', agent_version: '1' });
  const parts = {
    ...{ store, call: caller(server.url), server: server.url, info, now: () => new Date() },
    ...{ mayLeave: async () => {}, becoming: async () => {} },
    // A computer that belongs to nobody: a good link is taken at once.
    ...{ inForce: { asks: () => false, asksPin: () => false }, questions: questions(() => 0) },
  };
  await pinKeys(parts);
  const link = linking(parts, async () => {});
  const loopback = await startLoopback({
    port: 0,
    origins: () => [server.url],
    status: () => ({ g: false, l: false, v: '1' }),
    takeLink: link.byLink,
    window: async (_request, _body, response) => void response.writeHead(404).end(),
  });
  if (!loopback) throw new Error('no port');
  const connection = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (body: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { origin: server.url, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request({ host: '127.0.0.1', port: loopback.port, path: '/api/uri', method: 'POST', agent: connection, headers });
      sent.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)));
      sent.once('error', reject);
      sent.end(body);
    });
  const below = numbers(seed);
  const ways = mutations(server, below);
  try {
    for (let n = 1; n <= count; n++) {
      const offer = ways[n % ways.length]?.(server.link());
      const status = await post(JSON.stringify(offer));
      if (![409, 422].includes(status) || server.enrolled.length) return [`Number ${n} was answered ${status}: ${JSON.stringify(offer)}`];
    }
    const good = JSON.stringify(server.link());
    const answers = [await post(good), await post(good)];
    return answers.join() === '200,409' && server.enrolled.length === 1
      ? []
      : [`The good link was answered ${answers.join(' and then ')}.`];
  } finally {
    connection.destroy();
    await loopback.close();
    await server.close();
  }
}
