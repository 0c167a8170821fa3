import { Agent, request } from 'node:http';
import { type HandOver, linkUri } from '@porchlight/contract/loopback.ts';
import { newKeyPair, signText } from '@porchlight/definitions/signature.ts';
import { caller } from '../api/call.ts';
import { pinKeys } from '../api/enrol.ts';
import { linking } from '../link/linking.ts';
import { ownershipQuestions } from '../link/ownership-question.ts';
import { openStore } from '../state/store.ts';
import { startLoopback } from '../ui/loopback/server.ts';
import { type TestServer, testServer } from './server.ts';

/** Returns random numbers below `n`, the same for each seed (mulberry32). */
function numbers(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** Functions that turn a valid link into an invalid one with one defect. */
function mutations(server: TestServer, numberBelow: (n: number) => number): ((good: HandOver) => HandOver)[] {
  const signed = (uri: string, key = server.keys.link): HandOver => ({ uri, signature: signText(uri, key) });
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_%&=?/: \u0000é';
  const changed = (text: string): string => {
    const index = numberBelow(text.length);
    const character = characters[numberBelow(characters.length)] ?? 'x';
    const kind = numberBelow(4);
    if (kind === 0 && text[index] !== character) return text.slice(0, index) + character + text.slice(index + 1);
    if (kind === 1) return text.slice(0, index) + text.slice(index + 1);
    if (kind === 2) return text.slice(0, index) + character + text.slice(index);
    return text.slice(0, index);
  };
  const deps = { server: server.url, code: 'ABCD-EFGH', exp: Math.floor(Date.now() / 1000) + 600, nonce: 'n' };
  const nowSeconds = Math.floor(Date.now() / 1000);
  return [
    (validLink) => ({ ...validLink, uri: changed(validLink.uri) }),
    (validLink) => ({ ...validLink, signature: changed(validLink.signature) }),
    ({ uri }) => signed(uri, newKeyPair()),
    ({ uri }) => signed(uri, server.keys.policy),
    // The following links are validly signed, but must be refused.
    () => signed(linkUri({ ...deps, exp: nowSeconds - numberBelow(1_000_000) })),
    () => signed(linkUri({ ...deps, server: `${server.url}${['/', '.evil.example', '0', '@evil.example'][numberBelow(4)]}` })),
    ({ uri }) => signed(`${uri}&${['server', 'code', 'exp', 'nonce', 'other'][numberBelow(5)]}=x`),
    ({ uri }) => signed(uri.replace(/(server|code|exp|nonce)=[^&]*&?/, '')),
    ({ uri }) => signed(uri.replace('porchlight:', ['http:', 'PORCHLIGHT:', ' porchlight:', ''][numberBelow(4)] ?? '')),
  ];
}

/**
 * Sends `count` invalid links to the agent's loopback port, then a valid link twice, which must be accepted once. Returns the failures as
 * sentences. `seed`: reproduces the links.
 */
export async function linkTrial(folder: string, count: number, seed: number): Promise<string[]> {
  const server = await testServer();
  const store = await openStore(folder);
  const info = () => ({
    ...{ name: 'x', platform: 'linux' as const, os_version: '1', arch: 'x64', time_zone: 'UTC', agent_version: '1', limitations: [] },
  });
  const deps = {
    ...{ store, call: caller(server.url), server: server.url, info, now: () => new Date() },
    ...{ mayLink: async () => {}, beforeLinked: async () => {} },
    ...{ inForce: { asksConsent: () => false, asksPin: () => false }, questions: ownershipQuestions(() => 0) },
  };
  await pinKeys(deps);
  const link = linking(deps, async () => {});
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
  const numberBelow = numbers(seed);
  const linkMutations = mutations(server, numberBelow);
  try {
    for (let n = 1; n <= count; n++) {
      const offer = linkMutations[n % linkMutations.length]?.(server.link());
      const status = await post(JSON.stringify(offer));
      if (![409, 422].includes(status) || server.enrolled.length) return [`Number ${n} was answered ${status}: ${JSON.stringify(offer)}`];
    }
    const validLink = JSON.stringify(server.link());
    const answers = [await post(validLink), await post(validLink)];
    return answers.join() === '200,409' && server.enrolled.length === 1
      ? []
      : [`The good link was answered ${answers.join(' and then ')}.`];
  } finally {
    connection.destroy();
    await loopback.close();
    await server.close();
  }
}
