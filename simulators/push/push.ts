import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PushSubscriptionBody, pushMessage } from '@porchlight/contract/push.ts';
import type { SharedDocument, StoredItem, StoredItems } from '../ports.ts';
import { decryptPush } from './decrypt.ts';
import { browserKeys } from './keys.ts';
import { vapidError } from './vapid.ts';

/** A message as the browser shows it. `to`: the label of the subscription; `tag`: a later message with it replaces this one. */
export interface SimulatedPush {
  id: string;
  received: string;
  to: string;
  title: string;
  body: string;
  url: string;
  tag: string;
}

/** Shared by all servers on one database. `ended`: ids of subscriptions. */
export interface PushState {
  secret: string;
  ended: string[];
}

export const newPushState = (): PushState => ({ secret: randomBytes(32).toString('base64url'), ended: [] });

/** What the service does instead of accepting a message. */
export type PushFailure = { status: number; retry_after?: string } | 'hang';

export interface PushSimulator {
  /** The origin of all endpoints, the same after each start. Its name exists nowhere (RFC 6761): connect to `address` instead. */
  origin: string;
  address: string;
  subscribe(label: string): Promise<PushSubscriptionBody>;
  /** From then on messages to the endpoint are answered with 410, as after a browser's *Block*. */
  end(endpoint: string): Promise<void>;
  /** Newest last. */
  list(): Promise<SimulatedPush[]>;
  close(): Promise<void>;
}

const origin = 'https://push-simulator.invalid';
/** A push service must accept messages of this length (RFC 8030); the simulator accepts none that are longer. */
const bytesMax = 4096;

interface Answer {
  status: number;
  headers?: Record<string, string>;
}

/** A push service and the browsers behind it (RFC 8030, 8291, 8292), on a free loopback port. `failure`: asked for each message. */
export async function openPushSimulator(
  { items, state }: { items: StoredItems; state: SharedDocument<PushState> },
  failure: () => PushFailure | null = () => null,
): Promise<PushSimulator> {
  const keys = async () => browserKeys(await state.read(({ secret }) => secret));

  const accept = async (request: IncomingMessage, body: Buffer): Promise<Answer> => {
    const subscription = (await keys()).find(request.url ?? '');
    if (!subscription) return { status: 404 };
    if (await state.read(({ ended }) => ended.includes(subscription.id))) return { status: 410 };
    const error = requestError(request, body);
    if (error) return error;
    const message = pushMessage.parse(JSON.parse(decryptPush(body, subscription.keys).toString('utf8')));
    await items.add(Buffer.from(JSON.stringify({ to: subscription.label, ...message })));
    return { status: 201, headers: { location: `${origin}/messages/${randomUUID()}` } };
  };

  const server = createServer((request, reply) => {
    const answer = async () => {
      const body = await bodyOf(request);
      const failing = failure();
      if (failing === 'hang') return;
      const { status, headers } = failing
        ? { status: failing.status, headers: failing.retry_after ? { 'retry-after': failing.retry_after } : {} }
        : await accept(request, body);
      reply.writeHead(status, headers).end();
    };
    // A browser drops what it cannot decrypt; here the sender hears of it.
    answer().catch(() => reply.writeHead(400).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    origin,
    address: `http://127.0.0.1:${port}`,
    subscribe: async (label) => (await keys()).subscribe(origin, label),
    async end(endpoint) {
      const subscription = (await keys()).find(new URL(endpoint).pathname);
      if (subscription)
        await state.change((content) => {
          content.ended = [...content.ended.filter((id) => id !== subscription.id), subscription.id];
        });
    },
    list: async () => (await items.list()).map(parse).reverse(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What a push service checks without any key of the browser. */
function requestError({ method, headers }: IncomingMessage, body: Buffer): Answer | null {
  if (method !== 'POST') return { status: 405 };
  if (!/^\d+$/.test(String(headers.ttl ?? ''))) return { status: 400 };
  if (headers['content-encoding'] !== 'aes128gcm') return { status: 400 };
  if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) return { status: 400 };
  if (vapidError(headers.authorization, origin, new Date()) !== null) return { status: 403 };
  return body.length > bytesMax ? { status: 413 } : null;
}

function parse({ id, received, content }: StoredItem): SimulatedPush {
  const { to, title, body, url, tag } = JSON.parse(content.toString('utf8')) as Omit<SimulatedPush, 'id' | 'received'>;
  return { id, received, to, title, body, url, tag };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    // More than a service accepts is read as far as it matters.
    if (length <= 2 * bytesMax) chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
