import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { ProtectiveResolver } from '@porchlight/contract/protective-resolvers.ts';
import type { Recognition } from '@porchlight/definitions/recognition.ts';
import type { SiteAttempt } from '../ports.ts';
import type { SocketAddress } from './address.ts';

/**
 * `money`: the sites of the account that rest besides the known ones, and those that do not; left out while money sites get their address.
 * `paused`: left out while no site is paused for its name; `opened`: those that get their address although they are. `young`: sites that were just
 * registered are paused too.
 */
export type SiteRulesInForce = Pick<DevicePolicy, 'actions' | 'allow'> & {
  money?: { sites: string[]; open: string[] } | null;
  paused?: { opened: string[]; young: boolean } | null;
};

/** What sites are recognised by. */
export type SiteDefinitions = Pick<Recognition, 'definitions' | 'money' | 'names'>;

export type ToFilter =
  | { kind: 'start'; own: SocketAddress; page: SocketAddress | null; upstream: SocketAddress[] }
  | { kind: 'rules'; rules: SiteRulesInForce | null }
  | ({ kind: 'definitions'; sites: Uint8Array | null } & SiteDefinitions)
  | { kind: 'upstream'; servers: SocketAddress[] }
  /** The protective resolver that the account holder chose; null: the network's own servers. */
  | { kind: 'resolver'; resolver: ProtectiveResolver | null }
  /** The sites that this computer opened, as hashes with this key (P16.3). */
  | { kind: 'opened'; key: string; hashes: string[] }
  | { kind: 'ping' }
  | { kind: 'stop' };

export type FromFilter =
  | { kind: 'listening'; own: SocketAddress; page: SocketAddress | null }
  | { kind: 'taken'; why: string }
  | { kind: 'in_force'; names: number }
  | { kind: 'refused'; why: string }
  | { kind: 'tried'; tried: SiteAttempt }
  /** No upstream answers: the network may have changed. */
  | { kind: 'failing' }
  /** Whether the chosen protective resolver, named by its host, can be reached; sent at each change. */
  | { kind: 'resolver'; host: string; reachable: boolean }
  /** Further sites that this computer opened. */
  | { kind: 'opened'; hashes: string[] }
  | { kind: 'pong' };
