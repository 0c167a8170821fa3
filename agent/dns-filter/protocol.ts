import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { SiteAttempt } from '../ports.ts';
import type { SocketAddress } from './address.ts';

/** What the agent and the process of the site filter tell each other. Plain data, bytes included. */

export type SiteRulesInForce = Pick<DevicePolicy, 'actions' | 'allow'>;

export type ToFilter =
  | { kind: 'start'; own: SocketAddress; page: SocketAddress | null; upstream: SocketAddress[] }
  | { kind: 'rules'; rules: SiteRulesInForce | null }
  /** `sites`: the compact list as the server makes it; null where there is none. */
  | { kind: 'definitions'; definitions: Definition[]; sites: Uint8Array | null }
  | { kind: 'upstream'; servers: SocketAddress[] }
  | { kind: 'ping' }
  | { kind: 'stop' };

export type FromFilter =
  /** `page`: whether pages over plain HTTP are told why. */
  | { kind: 'listening'; own: SocketAddress; page: SocketAddress | null }
  | { kind: 'taken'; why: string }
  | { kind: 'in_force'; names: number }
  | { kind: 'refused'; why: string }
  | { kind: 'tried'; tried: SiteAttempt }
  /** No upstream answers: the network may be another one by now. */
  | { kind: 'failing' }
  | { kind: 'pong' };
