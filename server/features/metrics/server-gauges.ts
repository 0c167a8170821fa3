import type { Registry } from 'prom-client';
import type { QueuedTraffic, TrafficControl } from '../../db/traffic.ts';
import { gaugeOf, type Sample, seconds, valueOf } from './gauge.ts';

export interface ServerGaugesDeps {
  version: string;
  traffic: Pick<TrafficControl, 'connections' | 'waitingOf' | 'waitedFor'>;
  agentsWaiting: () => number;
  databaseUp: () => boolean;
  /** Null while it is unknown. */
  disk: () => { free: number; size: number } | null;
  /** When the certificate of the public address expires; null while it is unknown. */
  certificateExpires: () => Date | null;
}

const kinds: QueuedTraffic[] = ['agent', 'enrol', 'web', 'guardian', 'urgent'];

/** What this process knows by itself, also while the database is away. */
export function serverGauges(registry: Registry, deps: ServerGaugesDeps): void {
  const { traffic } = deps;
  const ofKinds = (read: (kind: QueuedTraffic) => number): Sample<'traffic'>[] => kinds.map((kind) => [{ traffic: kind }, read(kind)]);

  gaugeOf(registry, 'porchlight_build_info', {
    help: 'Always 1. The version of this server is in the label.',
    labels: ['version'],
    read: () => [[{ version: deps.version }, 1]],
  });
  valueOf(registry, 'porchlight_agents_waiting', {
    help: 'Devices whose agents are connected to this server now and wait for a change.',
    read: deps.agentsWaiting,
  });
  valueOf(registry, 'porchlight_database_up', {
    help: 'Whether the database answers this server: 1, or 0 while it is away.',
    read: () => Number(deps.databaseUp()),
  });
  gaugeOf(registry, 'porchlight_database_connections', {
    help: 'Connections to the database, in use and idle, and statements that wait for one.',
    labels: ['pool', 'state'],
    read: () =>
      Object.entries(traffic.connections()).flatMap(([pool, states]) =>
        Object.entries(states).map(([state, count]): Sample<'pool' | 'state'> => [{ pool, state }, Number(count)]),
      ),
  });
  gaugeOf(registry, 'porchlight_calls_waiting', {
    help: 'Calls that wait for a connection to the database.',
    labels: ['traffic'],
    read: () => ofKinds(traffic.waitingOf),
  });
  gaugeOf(registry, 'porchlight_calls_waiting_seconds', {
    help: 'How long the first of these calls has waited.',
    labels: ['traffic'],
    read: () => ofKinds((kind) => traffic.waitedFor(kind) / 1000),
  });
  valueOf(registry, 'porchlight_disk_free_bytes', {
    help: 'Free space on the disk of DATA_DIR.',
    read: () => deps.disk()?.free ?? null,
  });
  valueOf(registry, 'porchlight_disk_size_bytes', {
    help: 'Size of the disk of DATA_DIR.',
    read: () => deps.disk()?.size ?? null,
  });
  valueOf(registry, 'porchlight_certificate_expiry_timestamp_seconds', {
    help: 'When the certificate of the public address expires.',
    read: () => {
      const expires = deps.certificateExpires();
      return expires && seconds(expires);
    },
  });
}
