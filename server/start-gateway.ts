import { hostname } from 'node:os';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { leadership } from './db/leadership.ts';
import type { Listener } from './db/listen.ts';
import { newGateway } from './features/agents/polls/gateway.ts';
import type { PollBackend } from './features/agents/polls/poll-backend.ts';
import { answerGateways, remotePolls } from './features/agents/polls/remote-polls.ts';
import { gatewayMetrics } from './features/metrics/gateway-metrics.ts';
import { openMetricsListener } from './features/metrics/listener.ts';
import { safeHeaders } from './http/http.ts';
import { originsOf } from './http/third-parties.ts';
import { connectNats, type Nats } from './integrations/nats/nats.ts';
import { natsListener } from './integrations/nats/nats-listener.ts';
import { relay } from './integrations/nats/relay.ts';

const natsOf = (url: string, role: string, log: Logger): Nats => connectNats(url, { log, name: `porchlight-${role} ${hostname()}` });

/** A gateway without a database: it asks the other servers by NATS (`ROLE=gateway` with `NATS_URL`). */
export async function startGateway(config: Config, nats_url: string, log: Logger, closers: (() => Promise<void>)[]): Promise<void> {
  const nats = natsOf(nats_url, config.role, log);
  closers.push(nats.close);
  const gateway = newGateway({
    backend: remotePolls(nats),
    listener: natsListener(nats),
    isReady: nats.isConnected,
    log,
    headers: Object.entries(await safeHeaders({ origins: originsOf(config), https: config.public_url.startsWith('https:') })).flat(),
    trust_proxy: config.trust_proxy,
  });
  closers.push(gateway.close);
  if (config.metrics.port !== null) {
    const metrics = gatewayMetrics({ agentsWaiting: gateway.agentsWaiting });
    closers.push((await openMetricsListener({ ...config.metrics, port: config.metrics.port }, metrics, log)).close);
  }
  await gateway.listen({ port: config.port, host: config.host, backlog: serverLimits.backlog });
  log.info({ port: config.port }, 'listening');
}

/** What a server with a database does for gateways: one of all relays events, and each of those that answer calls answers them. */
export function serveGateways(
  config: Config,
  deps: { nats_url: string; database_url: string; listener: Listener; polls: PollBackend; log: Logger },
  closers: (() => Promise<void>)[],
): void {
  const nats = natsOf(deps.nats_url, config.role, deps.log);
  closers.push(nats.close);
  closers.push(leadership(deps.database_url, 'nats_relay', relay(nats, deps.listener)).close);
  if (config.role !== 'worker') answerGateways(nats, deps.polls);
}
