import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { protocolGate } from '../../../http/agent-protocol.ts';
import { callerOf } from '../../../http/caller-of.ts';
import { directCalls, writeJson, writeRefusal } from '../../../http/direct-calls.ts';
import { bearer } from '../../../http/gates.ts';
import { stopwatch } from '../../../lib/clock.ts';
import { fail, Refusal } from '../../../lib/errors.ts';
import { idOfCall } from '../../../lib/request-context.ts';
import { tokenHash } from '../../../secrets/tokens.ts';
import { readKnown } from './known.ts';
import { newLongPolls } from './long-polls.ts';
import { newestDefinitions } from './newest-definitions.ts';
import { newOpenPolls } from './open-polls.ts';
import type { PollBackend } from './poll-backend.ts';
import { wakeOnEvents } from './poll-events.ts';
import { presenceOf } from './presence.ts';

export interface GatewayDeps {
  backend: PollBackend;
  listener: Parameters<typeof wakeOnEvents>[0]['listener'];
  /** Whether servers with a database can be asked now. */
  isReady(): boolean;
  log: { error(o: object, m: string): void; warn(o: object, m: string): void };
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

const path = '/agent/changes';
/** Polls that wait for a server's answer; the servers could not answer more in time. */
const beginning_max = 2_000;
const recent_min = 1_000;
/** In seconds. */
const retry_least = 5;
const retry_spread = 25;

/** Holds the long polls of agents for servers that have the database (P14.5). It has none, and answers nothing else. */
export function newGateway(deps: GatewayDeps): Gateway {
  const { backend, log, headers, trust_proxy } = deps;
  const longPolls = newLongPolls(stopwatch);
  const newest = newestDefinitions(backend.newest);
  const events = wakeOnEvents({
    ...{ listener: deps.listener, longPolls, log },
    changedOf: backend.changedOf,
    newest: newest.refresh,
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

  // Without a line for each refusal: a herd that a gateway refuses would cost it more than the refusals.
  const direct = directCalls({ headers, log: { info() {}, error: (o, m) => log.error(o, m) }, trust_proxy });
  const requireProtocol = protocolGate(log);
  direct.add('POST', `/api${path}`, async ({ request, response, id, ip }) => {
    requireProtocol(`POST ${path}`, request.headers);
    const token = bearer(request) ?? fail('unauthorized');
    if (beginning >= beginning_max) fail('unavailable', { retry_after: retry_least + Math.random() * retry_spread });
    beginning += 1;
    try {
      const known = await readKnown(request);
      const since = longPolls.moment();
      const hash = tokenHash(token);
      const key = hash.toString('base64');
      const steady = presence.isSteady(recentDevices.get(key) ?? '');
      const begun = await backend.begin(hash, callerOf(ip), { protecting: known.protecting, steady });
      remember(key, begun.device);
      openPolls.open({ response, known, begun, since, request_id: id });
    } finally {
      beginning -= 1;
    }
  });
  const http = createServer({ requestTimeout: 30_000, keepAliveTimeout: 65_000 }, (request, response) => {
    if (direct.answer(request, response)) return;
    const probe = request.url?.split('?')[0];
    if (probe === '/healthz') return writeJson(response, headers, 200, { ok: true });
    if (probe === '/readyz') return writeJson(response, headers, deps.isReady() ? 200 : 503, { ok: deps.isReady() });
    writeRefusal({ response, id: idOfCall(request.headers, trust_proxy) }, headers, new Refusal('not_found'));
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
      events.close();
      openPolls.close();
      await presence.close();
      const closed = once(http, 'close');
      http.close();
      http.closeIdleConnections();
      await closed;
    },
  };
}
