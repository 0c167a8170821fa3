import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccountHolder, agentEndpoints, type DevicePolicy, type ReportedDetection } from '@porchlight/contract/agent.ts';
import { agentChangesEndpoint } from '@porchlight/contract/agent-changes.ts';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { agent_protocol, agent_protocol_header, protocolRefusal } from '@porchlight/contract/agent-protocol.ts';
import type { Goodbye } from '@porchlight/contract/device-health.ts';
import { type HandOver, linkUri } from '@porchlight/contract/loopback.ts';
import type { CodeSecret } from '@porchlight/contract/one-time-codes.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { noUnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { newKeyPair, signDocument, signText } from '@porchlight/definitions/signature.ts';
import { shippedCatalogue } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { type Answered, type Handler, ok, refuse } from './answers.ts';
import { type CheckIns, noCheckIns, receiveCheckIn } from './check-ins.ts';
import { carol, enrolments } from './enrolments.ts';
import { type FakeFeed, fakeFeed, type TestSet } from './feed.ts';
import { pendingPolls } from './pending-polls.ts';
import { pinHashFor } from './pin-hash.ts';

export const testPin = '194735';

export type Mood = 'well' | 'silent' | 'failing' | 'removed' | 'revoked';

export interface TestServer extends CheckIns {
  url: string;
  keys: Record<'link' | 'policy' | 'definitions', ReturnType<typeof newKeyPair>>;
  feed: FakeFeed;
  mood: Mood;
  /** Calls of agents with another one are refused. */
  protocol: number;
  setMood(mood: Mood): void;
  calls: string[];
  enrolled: string[];
  answersToDrop: number;
  device: string;
  holders: Map<string, AccountHolder>;
  /** Detections by uuid; `sent` also lists detections sent again. */
  detections: Map<string, ReportedDetection>;
  sent: ReportedDetection[];
  scans: AgentScan[];
  events: AgentEvent[];
  eventsOf: { device: string; kind: AgentEvent['reported']['kind'] }[];
  update: { manifest: SignedDocument | null; files: Map<string, Buffer>; asked: number; fetched: number };
  asked: string[];
  goodbyes: Goodbye[];
  policy: DevicePolicy;
  code_secret: CodeSecret;
  /** The policy version named in the last poll; an agent names a version after it is persisted and in force. */
  policy_in_force: number;
  /** How many polls named the policy and the definitions of now, so that these are in force. */
  polls(): number;
  /** The seconds that each poll offered to wait. */
  waits: number[];
  definitions: TestSet;
  setPolicy(change: Partial<DevicePolicy>, signer?: ReturnType<typeof newKeyPair>): void;
  setDefinitions(change: Partial<TestServer['definitions']>, signer?: ReturnType<typeof newKeyPair>): void;
  offer(feed: SignedFeed): void;
  link(change?: Partial<{ server: string; code: string; exp: number; nonce: string }>): HandOver;
  down(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** A fake server for agents. Each code enrols one computer; a repeat is accepted when the answer was lost. */
export async function testServer(keysIssued = new Date()): Promise<TestServer> {
  const feed = fakeFeed(keysIssued);
  const keys = { link: newKeyPair(), policy: newKeyPair(), definitions: feed.root() };
  feed.nameKeys(keys.policy.public_key, keys.link.public_key);
  const device = randomUUID();
  const issued = '2026-01-01T00:00:00Z';
  const pending = pendingPolls();
  let port = 0;
  let policySigner = keys.policy;
  /** Signed again for each answer, as the real server does, unless a test has set the time. */
  const signedPolicy = (policy: DevicePolicy) =>
    signDocument({ ...policy, issued: policy.issued === issued ? new Date().toISOString() : policy.issued }, policySigner);
  /** Counts changes of policy, so that a document with any version is offered. */
  let change = 0;

  const test: TestServer = {
    url: '',
    keys,
    feed,
    mood: 'well',
    protocol: agent_protocol,
    setMood(mood) {
      test.mood = mood;
      wake();
    },
    calls: [],
    enrolled: [],
    answersToDrop: 0,
    device,
    holders: new Map(),
    detections: new Map(),
    sent: [],
    scans: [],
    events: [],
    eventsOf: [],
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
      relatives: ['Anna'],
      holder: carol,
      pin: pinHashFor(testPin),
      resume: null,
      browsers: false,
      notification_origins: [],
      resolver: null,
      lock: false,
      pin_shown: false,
      emergency_stop: null,
      isolation: null,
      code_secret: null,
      appointment: null,
      unlisted: noUnlistedPolicy,
    },
    code_secret: { id: randomUUID(), secret: randomBytes(32).toString('base64url') },
    policy_in_force: 0,
    polls: () => currentPolls,
    waits: [],
    definitions: { version: 1, definitions: shippedCatalogue() },
    setPolicy(change, signer = keys.policy) {
      test.policy = { ...test.policy, epoch: feed.list().epoch, version: test.policy.version + 1, ...change };
      policySigner = signer;
      wake();
    },
    setDefinitions(change, signer = feed.signing()) {
      test.definitions = { ...test.definitions, version: test.definitions.version + 1, ...change };
      offered = feed.publish(test.definitions, signer);
      wake();
    },
    offer(documents) {
      offered = documents;
      test.definitions.version += 1;
      wake();
    },
    link(pieces = {}) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const uri = linkUri({ server: test.url, code: `CODE-${randomUUID().slice(0, 8)}`, exp, nonce: randomUUID(), ...pieces });
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
    pending.finish();
  };
  let offered = feed.publish(test.definitions);

  let seen = 0;
  let currentPolls = 0;
  const table = { ...agentEndpoints, ...agentChangesEndpoint };
  const handlers: Record<keyof typeof table, Handler> = {
    'POST /agent/changes': async ({ body, gone }) => {
      const { known, known_epoch, known_definitions, wait } = table['POST /agent/changes'].body.parse(body);
      test.policy_in_force = known;
      test.waits.push(wait);
      if (known === test.policy.version && known_definitions >= test.definitions.version) currentPolls++;
      const isNewer = () => test.policy.version > known || test.definitions.version > known_definitions || feed.list().epoch > known_epoch;
      if (!isNewer() && seen === change) await pending.wait(wait, gone);
      const changed = isNewer() || seen !== change;
      seen = change;
      return ok({ changed, again_in: 0 });
    },
    'GET /agent/server': () =>
      ok({
        public_url: test.url,
        keys: { link: keys.link.public_key, policy: keys.policy.public_key, definitions: keys.definitions.public_key },
      }),
    'GET /agent/free-plan': ({ query }) =>
      ok({
        definitions: seen !== change || test.definitions.version > Number(query.get('known')) ? offered : null,
        ...(query.has('nonce') && { time: signDocument({ time: new Date().toISOString(), nonce: query.get('nonce') }, keys.policy) }),
      }),
    'POST /agent/enrol': ({ body }) => {
      const enrolled = devices.enrol(body);
      return enrolled ? ok(enrolled) : refuse('code_used');
    },
    'POST /agent/whose': ({ body }) => {
      const owner = devices.whose(body);
      return owner ? ok(owner) : refuse('code_used');
    },
    'POST /agent/check-in': ({ body }) => receiveCheckIn(test, body),
    'POST /agent/goodbye': ({ body }) => {
      test.goodbyes.push(agentEndpoints['POST /agent/goodbye'].body.parse(body));
      return ok({});
    },
    'GET /agent/policy': ({ token: by }) => {
      seen = change;
      const caller = devices.of(by);
      const otherPolicy =
        caller && caller.uuid !== test.device && signedPolicy({ ...test.policy, device: caller.uuid, holder: caller.holder });
      return ok({ policy: otherPolicy || signedPolicy(test.policy), definitions_version: test.definitions.version, keys: feed.list() });
    },
    'GET /agent/definitions': () => ok(offered),
    'GET /agent/keys': ({ query }) => ok({ keys: feed.keysAfter(Number(query.get('known_epoch')), Number(query.get('known_keys'))) }),
    'GET /agent/code-secret': () => ok(test.code_secret),
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
    'POST /agent/events': ({ body, token: by }) => {
      const { events } = agentEndpoints['POST /agent/events'].body.parse(body);
      test.events.push(...events);
      test.eventsOf.push(...events.map(({ reported }) => ({ device: devices.of(by)?.uuid ?? '', kind: reported.kind })));
      return ok({ stored: events.map(({ uuid }) => uuid) });
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
    const partBytes = feed.partsByHash.get(url.pathname.split('/definitions/parts/')[1] ?? '');
    if (partBytes && test.mood !== 'silent') return void response.end(partBytes);
    const [, sha256 = ''] = /^\/downloads\/update\/(\w+)$/.exec(url.pathname) ?? [];
    if (sha256) test.update.fetched++;
    if (sha256) return void response.writeHead(test.update.files.has(sha256) ? 200 : 404).end(test.update.files.get(sha256));
    if (url.pathname === '/api/agent/update') test.update.asked++;
    if (url.pathname === '/api/agent/update') return void response.end(JSON.stringify({ manifest: test.update.manifest }));
    const key = `${request.method} ${url.pathname.replace(/^\/api/, '')}` as keyof typeof handlers;
    test.calls.push(key);
    const pieces: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) pieces.push(chunk);
    if (test.mood === 'silent') return;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const by = (request.headers.authorization ?? '').replace('Bearer ', '');
    const ofDevice = table[key].access !== 'public';
    const refusal = (): Answered | null => {
      if (test.mood === 'failing') return refuse('internal');
      if (!ofDevice) return null;
      if (test.mood === 'revoked' || !devices.of(by)) return refuse('unauthorized');
      devices.tokenUsed();
      // The server checks the PIN of a removed device for a day.
      return test.mood === 'removed' && key !== 'POST /agent/pin' ? refuse('device_removed') : null;
    };
    const other = protocolRefusal(key, request.headers[agent_protocol_header], test.protocol);
    const body: unknown = pieces.length ? JSON.parse(Buffer.concat(pieces).toString('utf8')) : undefined;
    const early = other ? refuse(other) : refusal();
    const handled = early ?? (await handlers[key]({ query: url.searchParams, body, gone: gone.signal, token: by }));
    // The mood may have changed during a long poll.
    const answered = early ?? (key === 'GET /agent/policy' || key === 'POST /agent/changes' ? refusal() : null) ?? handled;
    if (key === 'POST /agent/enrol' && test.answersToDrop > 0) {
      test.answersToDrop--;
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
