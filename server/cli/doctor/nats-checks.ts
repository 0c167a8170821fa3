import type { Config } from '../../config.ts';
import { remotePolls } from '../../features/agents/polls/remote-polls.ts';
import { connectNats, type Nats } from '../../integrations/nats/nats.ts';
import { natsAddress } from '../../integrations/nats/nats-address.ts';
import { type Check, error, type Finding, ok, reasonOf } from './check.ts';

/** A gateway with NATS has nothing else that could be checked: neither a database nor mail, and no address for people. */
export const isGatewayOfNats = ({ role, nats_url }: Pick<Config, 'role' | 'nats_url'>): boolean => role === 'gateway' && nats_url !== null;

export function natsChecks({ role, nats_url }: Pick<Config, 'role' | 'nats_url'>): Check[] {
  if (nats_url === null) return [];
  return [{ id: 'nats.connection', needs: ['NATS_URL'], run: (signal) => natsFinding(nats_url, role, signal) }];
}

async function natsFinding(url: string, role: string, signal: AbortSignal): Promise<Finding> {
  const { shown } = natsAddress(url);
  const connection = Promise.withResolvers<Nats | string>();
  const log = {
    info() {},
    // This is about the first attempt; the connection tries again for as long as it is open.
    warn: (reason: unknown) => connection.resolve(reasonOf((reason as { err?: unknown }).err ?? reason)),
    error() {},
  };
  const nats = connectNats(url, { log, name: 'porchlight-doctor' });
  signal.addEventListener('abort', () => connection.resolve('it did not answer'));
  nats.onConnected(() => connection.resolve(nats));
  try {
    const connected = await connection.promise;
    if (typeof connected === 'string')
      return error(`NATS at ${shown} cannot be used: ${connected}. Check NATS_URL, whether nats-server runs, and the firewall.`);
    if (role !== 'gateway') return ok(`NATS at ${shown} answers.`);
    const isAnswered = await remotePolls(connected)
      .newest()
      .then(
        () => true,
        () => false,
      );
    return isAnswered
      ? ok(`NATS at ${shown} answers, and a server with a database answers there.`)
      : error(`NATS at ${shown} answers, but no server with a database does. Start one with ROLE=web or ROLE=all and the same NATS_URL.`);
  } finally {
    await nats.close();
  }
}
