import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DevicePolicy, ReportedDetection } from '@porchlight/contract/agent.ts';
import { linkUri } from '@porchlight/contract/loopback.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { newKeyPair, signDocument, signText } from '@porchlight/definitions/signature.ts';

/** A server that speaks the agent's contract over real HTTP, and does as the test says. */
export interface TestServer {
  url: string;
  keys: Record<'link' | 'policy' | 'definitions', ReturnType<typeof newKeyPair>>;
  device: string;
  policy: DevicePolicy;
  set: DefinitionSet;
  /** How often each detection was stored, by its uuid. */
  stored: Map<string, ReportedDetection>;
  received: ReportedDetection[];
  enrolments: number;
  /** Answer everything with this instead. */
  refuse: { status: number; code: string } | null;
  /** Tells waiting agents that something is new. */
  changed(): void;
  link(more?: Partial<{ server: string; code: string; exp: number; nonce: string }>): { uri: string; signature: string };
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const code = 'ABCD-EFGH';

/** Definitions with two families, one of them for other systems than Linux too. */
export function definitions(version: number): DefinitionSet {
  const help = { what_it_is: 'It lets someone else use this computer.', what_to_do: 'Hang up, and switch the computer off.' };
  const programs = {
    generic_names: [],
    original_names: [],
    products: [],
    companies: [],
    signers: [],
    broad_signers: [],
    team_ids: [],
    bundle_ids: [],
    sha256: [],
  };
  const family = (identifier: string, name: string, category: 'RemoteControl' | 'DeceptiveUtility') => ({
    identifier,
    name,
    category,
    allowlistable: true,
    part_of_system: false,
    programs: { ...programs, names: [{ os: 'linux' as const, name }] },
    domains: [],
    help,
    sources: ['made for tests'],
  });
  return {
    version,
    issued: new Date(0).toISOString(),
    definitions: [family('anydesk', 'AnyDesk', 'RemoteControl'), family('fixer', 'PcFixer', 'DeceptiveUtility')],
  };
}

export async function testServer(): Promise<TestServer> {
  const keys = { link: newKeyPair(), policy: newKeyPair(), definitions: newKeyPair() };
  const device = randomUUID();
  const waiting = new Set<() => void>();
  let port = 0;
  let http = createServer();

  const server: TestServer = {
    url: '',
    keys,
    device,
    policy: {
      device,
      version: 1,
      issued: new Date(0).toISOString(),
      device_name: 'Den PC',
      policy: { uuid: 'strict', name: 'Strict (Default)' },
      actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
      block_likely: true,
      allow: [],
      family: ['Bob'],
    },
    set: definitions(1),
    stored: new Map(),
    received: [],
    enrolments: 0,
    refuse: null,
    changed() {
      for (const wake of [...waiting]) wake();
    },
    link(more = {}) {
      const uri = linkUri({ server: server.url, code, exp: Math.floor(Date.now() / 1000) + 3600, nonce: randomUUID(), ...more });
      return { uri, signature: signText(uri, keys.link) };
    },
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
    start: async () => {
      http = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () =>
          answer(request.method ?? '', new URL(request.url ?? '/', server.url), Buffer.concat(parts).toString(), response),
        );
      });
      await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
      port = (http.address() as AddressInfo).port;
      server.url = `http://127.0.0.1:${port}`;
    },
  };

  const send = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const sendPolicy = (response: ServerResponse) =>
    send(response, 200, { policy: signDocument(server.policy, keys.policy), definitions_version: server.set.version });

  function answer(method: string, url: URL, text: string, response: ServerResponse): void {
    const key = `${method} ${url.pathname.replace(/^\/api/, '')}`;
    if (server.refuse) return void send(response, server.refuse.status, { error: 'no', code: server.refuse.code, request_id: '' });
    if (key === 'GET /agent/server') {
      const { link, policy, definitions: set } = keys;
      return void send(response, 200, {
        public_url: server.url,
        keys: { link: link.public_key, policy: policy.public_key, definitions: set.public_key },
      });
    }
    if (key === 'POST /agent/enrol') {
      server.enrolments++;
      return void send(response, 200, { agent_token: 't'.repeat(43), device: { uuid: device, name: 'Den PC' } });
    }
    if (key === 'POST /agent/check-in') return void send(response, 200, {});
    if (key === 'GET /agent/definitions') return void send(response, 200, signDocument(server.set, keys.definitions));
    if (key === 'POST /agent/detections') {
      const { detections } = JSON.parse(text) as { detections: ReportedDetection[] };
      for (const detection of detections) server.stored.set(detection.uuid, detection);
      server.received.push(...detections);
      return void send(response, 200, { stored: detections.map((d) => d.uuid) });
    }
    const behind =
      server.policy.version > Number(url.searchParams.get('known')) ||
      server.set.version > Number(url.searchParams.get('known_definitions'));
    if (behind) return void sendPolicy(response);
    const wake = () => {
      clearTimeout(timer);
      waiting.delete(wake);
      // What is refused meanwhile is refused to those who wait, too.
      if (server.refuse) send(response, server.refuse.status, { error: 'no', code: server.refuse.code, request_id: '' });
      else sendPolicy(response);
    };
    const timer = setTimeout(wake, 1000);
    waiting.add(wake);
  }

  await server.start();
  return server;
}

/** Waits until something holds, and says what it waited for when it never does. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
