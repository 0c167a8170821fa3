import type { NodeConnectionOptions } from '@nats-io/transport-node';

export class NatsAddressError extends Error {}

export interface NatsAddress {
  options: Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'>;
  /** Hosts and ports, for the log: without users and passwords. */
  shown: string;
}

const default_port = '4222';

/**
 * Reads `nats://host`, `nats://user:password@host:4222`, `nats://token@host` or `tls://host`, which never connects without TLS. Several servers
 * of one cluster are separated by commas and share the user and the scheme of the first. The library of NATS would ignore what is before
 * the host and the scheme. Throws `NatsAddressError`, which does not contain the address.
 */
export function natsAddress(text: string): NatsAddress {
  const urls = text.split(',').map((part) => readUrl(part.trim()));
  const [first] = urls;
  if (!first) throw new NatsAddressError('The address of NATS is empty.');
  const servers = urls.map(({ hostname, port }) => `${hostname}:${port || default_port}`);
  const [user, pass] = [first.username, first.password].map(decoded);
  return {
    options: {
      servers,
      ...(pass ? { user, pass } : user ? { token: user } : {}),
      ...(first.protocol === 'tls:' ? { tls: {} } : {}),
    },
    shown: servers.join(', '),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NatsAddressError('The user or the password in the address of NATS has a % that encodes nothing.');
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url?.hostname || !['nats:', 'tls:'].includes(url.protocol))
    throw new NatsAddressError('The address of NATS is not like nats://host:4222 or tls://host:4222.');
  return url;
}
