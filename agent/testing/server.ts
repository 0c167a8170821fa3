import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccountHolder, agentEndpoints, type DevicePolicy, type ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Goodbye } from '@porchlight/contract/care.ts';
import { type HandOver, linkUri } from '@porchlight/contract/loopback.ts';
import type { News } from '@porchlight/contract/news.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { newKeyPair, signDocument, signText } from '@porchlight/definitions/signature.ts';
import { type Answered, type Handler, ok, refuse } from './answers.ts';
import { type CheckIns, hearCheckIn, noCheckIns } from './check-ins.ts';
import { carol, enrolments } from './enrolments.ts';
import { type FakeFeed, fakeFeed } from './feed.ts';
import { pinHashFor } from './pin-hash.ts';

/** The Admin PIN of every account here. */
export const testPin = '194735';

/** How the server is to behave: as it should, not at all, with an error, or as if the device were removed. */
export type Mood = 'well' | 'silent' | 'failing' | 'removed' | 'revoked';

export interface TestServer extends CheckIns {
  url: string;
  keys: Record<'link' | 'policy' | 'definitions', ReturnType<typeof newKeyPair>>;
  /** What agents get as definitions. */
  feed: FakeFeed;
  mood: Mood;
  /** Changes the mood; who waits hears of it at once. */
  be(mood: Mood): void;
  /** What was called, as `METHOD /path` of the contract. */
  calls: string[];
  /** Enrolments by code. */
  enrolled: string[];
  /** So many answers to enrolments are lost on their way. */
  lost: number;
  /** Enrolled last; the others are known by their tokens as before. */
  device: string;
  /** Whose a code is; Carol's, unless a test says otherwise. */
  holders: Map<string, AccountHolder>;
  /** Stored detections by uuid, and how often each was sent. */
  detections: Map<string, ReportedDetection>;
  sent: ReportedDetection[];
  /** What lay on computers: each report as often as it was sent. */
  scans: AgentScan[];
  /** What was told of the computer, each time that it was; and of which device. */
  news: News[];
  newsOf: { device: string; kind: News['said']['kind'] }[];
  /** The update that is offered, and its files by hash. */
  update: { manifest: SignedDocument | null; files: Map<string, Buffer>; asked: number; fetched: number };
  /** PINs that the server was asked about. */
  asked: string[];
  /** What agents said before they went. */
  goodbyes: Goodbye[];
  policy: DevicePolicy;
  /** The version that the last agent to poll named as its own: it polls again only when the policy is in force, after it was stored. */
  policy_in_force: number;
  definitions: { version: number; definitions: Definition[] };
  /** Puts a new policy in force: with the next version, unless it says one itself. */
  setPolicy(change: Partial<DevicePolicy>, signer?: ReturnType<typeof newKeyPair>): void;
  setDefinitions(change: Partial<TestServer['definitions']>, signer?: ReturnType<typeof newKeyPair>): void;
  /** Offers these documents as news, whatever they are. */
  offer(feed: SignedFeed): void;
  link(change?: Partial<{ server: string; code: string; exp: number; nonce: string }>): HandOver;
  /** Stops listening and cuts every connection; `listen` takes the same port again. */
  down(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** A server that speaks the agent's half of the contract and does as the test says. Each code enrols once, or again for who lost the answer. */
export async function testServer(): Promise<TestServer> {
  const feed = fakeFeed();
  const keys = { link: newKeyPair(), policy: newKeyPair(), definitions: feed.root() };
  feed.nameKeys(keys.policy.public_key, keys.link.public_key);
  const device = randomUUID();
  const issued = '2026-01-01T00:00:00Z';
  const waiting = new Set<() => void>();
  let port = 0;
  let policyDocument: SignedDocument;
  /** Counts what was put in force: a document is offered as news whatever version it bears. */
  let change = 0;

  const test: TestServer = {
    url: '',
    keys,
    feed,
    mood: 'well',
    be(mood) {
      test.mood = mood;
      wake();
    },
    calls: [],
    enrolled: [],
    lost: 0,
    device,
    holders: new Map(),
    detections: new Map(),
    sent: [],
    scans: [],
    news: [],
    newsOf: [],
    ...noCheckIns(),
    goodbyes: [],
    asked: [],
    update: { manifest: null, files: new Map(), asked: 0, fetched: 0 },
    policy: {
      device,
      epoch: 1,
      version: 1,
      issued,
      device_name: 'Laptop',
      policy: { uuid: '00000000-0000-4000-8000-000000000001', name: 'Strict' },
      actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
      block_likely: true,
      allow: [],
      family: ['Anna'],
      holder: carol,
      pin: pinHashFor(testPin),
      resume: null,
    },
    policy_in_force: 0,
    definitions: { version: 1, definitions: readCatalogue() },
    setPolicy(news, signer = keys.policy) {
      test.policy = { ...test.policy, epoch: feed.list().epoch, version: test.policy.version + 1, ...news };
      policyDocument = signDocument(test.policy, signer);
      wake();
    },
    setDefinitions(news, signer = feed.signing()) {
      test.definitions = { ...test.definitions, version: test.definitions.version + 1, ...news };
      offered = feed.publish(test.definitions, signer);
      wake();
    },
    offer(documents) {
      offered = documents;
      test.definitions.version += 1;
      wake();
    },
    link(parts = {}) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const uri = linkUri({ server: test.url, code: `CODE-${randomUUID().slice(0, 8)}`, exp, nonce: randomUUID(), ...parts });
      return { uri, signature: signText(uri, keys.link) };
    },
    down: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
    listen: () =>
      new Promise((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, '127.0.0.1', () => resolve());
      }),
    close: () => (http.listening ? test.down() : Promise.resolve()),
  };
  const devices = enrolments(test);
  const wake = () => {
    change++;
    for (const done of waiting) done();
  };
  policyDocument = signDocument(test.policy, keys.policy);
  let offered = feed.publish(test.definitions);

  /** Waits as a long poll does: until something is put in force, the time is over, or the caller has gone. */
  const news = (seconds: number, gone: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, seconds * 1000);
      waiting.add(done);
      gone.addEventListener('abort', done);
    });
  let seen = 0;
  const handlers: Record<keyof typeof agentEndpoints, Handler> = {
    'GET /agent/server': () =>
      ok({
        public_url: test.url,
        keys: { link: keys.link.public_key, policy: keys.policy.public_key, definitions: keys.definitions.public_key },
      }),
    'GET /agent/free-plan': ({ query }) =>
      ok({ definitions: seen !== change || test.definitions.version > Number(query.get('known')) ? offered : null }),
    'POST /agent/enrol': ({ body }) => {
      const enrolled = devices.enrol(body);
      return enrolled ? ok(enrolled) : refuse('code_used');
    },
    'POST /agent/whose': ({ body }) => {
      const whose = devices.whose(body);
      return whose ? ok(whose) : refuse('code_used');
    },
    'POST /agent/check-in': ({ body }) => hearCheckIn(test, body),
    'POST /agent/goodbye': ({ body }) => {
      test.goodbyes.push(agentEndpoints['POST /agent/goodbye'].body.parse(body));
      return ok({});
    },
    'GET /agent/policy': async ({ query, gone, token: by }) => {
      const knownPolicy = Number(query.get('known'));
      test.policy_in_force = knownPolicy;
      const knownDefinitions = Number(query.get('known_definitions'));
      const newer =
        test.policy.version > knownPolicy ||
        test.definitions.version > knownDefinitions ||
        feed.list().epoch > Number(query.get('known_epoch'));
      if (!newer && seen === change) await news(Number(query.get('wait')), gone);
      seen = change;
      const of = devices.of(by);
      // One that was enrolled before the last.
      const other = of && of.uuid !== test.device && signDocument({ ...test.policy, device: of.uuid, holder: of.holder }, keys.policy);
      return ok({ policy: other || policyDocument, definitions_version: test.definitions.version, keys: feed.list() });
    },
    'GET /agent/definitions': () => ok(offered),
    'GET /agent/keys': ({ query }) => ok({ keys: feed.keysAfter(Number(query.get('known_epoch')), Number(query.get('known_keys'))) }),
    'POST /agent/pin': ({ body }) => {
      const { pin } = agentEndpoints['POST /agent/pin'].body.parse(body);
      test.asked.push(pin);
      if (test.asked.length > serverLimits.pin_tries) return refuse('too_many');
      return ok({ right: pin.replace(/\s/g, '') === testPin });
    },
    'POST /agent/scan': ({ body }) => {
      test.scans.push(agentEndpoints['POST /agent/scan'].body.parse(body));
      return ok({});
    },
    'POST /agent/news': ({ body, token: by }) => {
      const { news } = agentEndpoints['POST /agent/news'].body.parse(body);
      test.news.push(...news);
      test.newsOf.push(...news.map(({ said }) => ({ device: devices.of(by)?.uuid ?? '', kind: said.kind })));
      return ok({ stored: news.map(({ uuid }) => uuid) });
    },
    'POST /agent/detections': ({ body }) => {
      const { detections } = agentEndpoints['POST /agent/detections'].body.parse(body);
      for (const detection of detections) {
        test.sent.push(detection);
        test.detections.set(detection.uuid, detection);
      }
      return ok({ stored: detections.map((detection) => detection.uuid) });
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', test.url);
    const part = feed.parts.get(url.pathname.split('/definitions/parts/')[1] ?? '');
    if (part && test.mood !== 'silent') return void response.end(part);
    const [, sha256 = ''] = /^\/downloads\/update\/(\w+)$/.exec(url.pathname) ?? [];
    if (sha256) test.update.fetched++;
    if (sha256) return void response.writeHead(test.update.files.has(sha256) ? 200 : 404).end(test.update.files.get(sha256));
    if (url.pathname === '/api/agent/update') test.update.asked++;
    if (url.pathname === '/api/agent/update') return void response.end(JSON.stringify({ manifest: test.update.manifest }));
    const key = `${request.method} ${url.pathname.replace(/^\/api/, '')}` as keyof typeof handlers;
    test.calls.push(key);
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    if (test.mood === 'silent') return;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const by = (request.headers.authorization ?? '').replace('Bearer ', '');
    const ofDevice = agentEndpoints[key].access === 'device';
    const refusal = (): Answered | null => {
      if (test.mood === 'failing') return refuse('internal');
      if (!ofDevice) return null;
      if (test.mood === 'revoked' || !devices.of(by)) return refuse('unauthorized');
      devices.heard();
      return test.mood === 'removed' ? refuse('device_removed') : null;
    };
    const body: unknown = parts.length ? JSON.parse(Buffer.concat(parts).toString('utf8')) : undefined;
    const early = refusal();
    const done = early ?? (await handlers[key]({ query: url.searchParams, body, gone: gone.signal, token: by }));
    // The mood may have changed while a long poll waited.
    const answered = early ?? (key === 'GET /agent/policy' ? refusal() : null) ?? done;
    if (key === 'POST /agent/enrol' && test.lost > 0) {
      test.lost--;
      return void response.destroy();
    }
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(JSON.stringify(answered.body));
  };

  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(422).end('{}'));
  });
  await test.listen();
  port = (http.address() as AddressInfo).port;
  test.url = `http://127.0.0.1:${port}`;
  return test;
}
