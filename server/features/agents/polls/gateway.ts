import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentChangesEndpoint } from '@porchlight/contract/agent-changes.ts';
import { type ErrorCode, errors } from '@porchlight/contract/errors.ts';
import { callerOf } from '../../../lib/caller-of.ts';
import { Refusal } from '../../../lib/errors.ts';
import { idOfCall } from '../../../lib/request-context.ts';
import { tokenHash } from '../../../lib/tokens.ts';
import { newLongPolls } from '../long-polls.ts';
import { wakeOnEvents } from '../poll-events.ts';
import { newestDefinitions } from './newest-definitions.ts';
import { newOpenPolls } from './open-polls.ts';
import type { PollBackend } from './poll-backend.ts';
import { presenceOf } from './presence.ts';

export interface GatewayDeps {
  backend: PollBackend;
  listener: Parameters<typeof wakeOnEvents>[0]['listener'];
  /** Whether servers with a database can be asked now. */
  isReady(): boolean;
  log: { error(o: object, m: string): void };
  /** Headers of every answer: name, value, name, value … */
  headers: string[];
  trust_proxy: number;
  /** See `newOpenPolls`. */
  byte_interval?: number;
}

export interface Gateway {
  agentsWaiting(): number;
  listen(address: { port: number; host: string; backlog: number }): Promise<number>;
  /** Notes now that the waiting devices are connected, which happens once a minute. */
  writePresence(): Promise<void>;
  close(): Promise<void>;
}

const { body: changesBody } = agentChangesEndpoint['POST /agent/changes'];
const path = '/api/agent/changes';
/** Bytes of a body, which has four numbers. */
const body_max = 4_096;
/** Polls that wait for a server's answer; the servers could not answer more in time. */
const beginning_max = 2_000;
const recent_min = 1_000;
/** In seconds. */
const retry_least = 5;
const retry_spread = 25;

/** Holds the long polls of agents for servers that have the database (P14.5). It has none, and answers nothing else. */
export function newGateway(deps: GatewayDeps): Gateway {
  const { backend, log, headers, trust_proxy } = deps;
  const longPolls = newLongPolls(() => performance.now());
  const newest = newestDefinitions(backend.newest);
  wakeOnEvents({
    ...{ listener: deps.listener, longPolls, log },
    changedOf: backend.changedOf,
    newestVersion: async () => (await newest.refresh()).version,
  });
  const presence = presenceOf({ waiting: longPolls.devices, present: backend.present, now: longPolls.moment, log });
  const interval = deps.byte_interval === undefined ? {} : { byte_interval: deps.byte_interval };
  const openPolls = newOpenPolls({
    ...{ longPolls, headers, random: Math.random, began: presence.began, ended: presence.ended },
    ...interval,
  });
  /** The devices of recent polls by the hash of their token, oldest first: so a poll begins with the knowledge whose it is. */
  const recentDevices = new Map<string, string>();
  const remember = (token: string, device: string) => {
    recentDevices.delete(token);
    recentDevices.set(token, device);
    const [oldest] = recentDevices.keys();
    if (oldest !== undefined && recentDevices.size > 2 * longPolls.count() + recent_min) recentDevices.delete(oldest);
  };
  let beginning = 0;

  const json = (response: ServerResponse, status: number, body: object, more: string[] = []) => {
    const text = JSON.stringify(body);
    response.writeHead(status, [
      ...headers,
      ...[
        'content-type',
        'application/json; charset=utf-8',
        'cache-control',
        'no-store',
        'content-length',
        String(Buffer.byteLength(text)),
      ],
      ...more,
    ]);
    response.end(text);
  };
  const refuse = (response: ServerResponse, id: string, code: ErrorCode, retry_after?: number) =>
    json(
      response,
      errors[code].status,
      { error: errors[code].words, code, request_id: id },
      retry_after === undefined ? [] : ['retry-after', String(Math.max(1, Math.ceil(retry_after)))],
    );

  const poll = async (request: IncomingMessage, response: ServerResponse, id: string) => {
    const token = /^Bearer ([\w-]{20,100})$/.exec(request.headers.authorization ?? '')?.[1];
    if (!token) return refuse(response, id, 'unauthorized');
    if (beginning >= beginning_max) return refuse(response, id, 'unavailable', retry_least + Math.random() * retry_spread);
    beginning += 1;
    try {
      const known = changesBody.safeParse(await bodyOf(request));
      if (!known.success) return refuse(response, id, 'invalid_input');
      const since = longPolls.moment();
      const { protecting } = known.data;
      const hash = tokenHash(token);
      const key = hash.toString('base64');
      const steady = presence.isSteady(recentDevices.get(key) ?? '');
      const begun = await backend.begin(hash, callerOf(addressOf(request, trust_proxy)), { protecting, steady });
      remember(key, begun.device);
      openPolls.open({ response, known: known.data, begun, since, request_id: id });
    } catch (err) {
      if (!(err instanceof Refusal)) log.error({ err }, 'a poll could not begin');
      if (err instanceof Refusal) refuse(response, id, err.code, err.retry_after);
      else refuse(response, id, 'internal');
    } finally {
      beginning -= 1;
    }
  };
  const http = createServer({ requestTimeout: 30_000, keepAliveTimeout: 65_000 }, (request, response) => {
    const route = request.url?.split('?')[0];
    const id = idOfCall(request.headers, trust_proxy);
    if (route === '/healthz') return json(response, 200, { ok: true });
    if (route === '/readyz') return json(response, deps.isReady() ? 200 : 503, { ok: deps.isReady() });
    if (route === path && request.method === 'POST') return void poll(request, response, id);
    refuse(response, id, 'not_found');
  });

  return {
    agentsWaiting: longPolls.count,
    async listen(address) {
      http.listen(address);
      await once(http, 'listening');
      return (http.address() as AddressInfo).port;
    },
    writePresence: presence.write,
    async close() {
      openPolls.close();
      await presence.close();
      const closed = once(http, 'close');
      http.close();
      http.closeIdleConnections();
      await closed;
    },
  };
}

/** Null for a body that is too long or no JSON. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > body_max) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return null;
  }
}

/** The caller wrote the left part of the header, which is not trusted. */
function addressOf({ headers, socket }: IncomingMessage, trust_proxy: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .flatMap((text) => text.trim() || []);
  return [socket.remoteAddress ?? '', ...forwarded.reverse()][Math.min(trust_proxy, forwarded.length)] ?? '';
}
