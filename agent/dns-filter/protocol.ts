import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { SiteAttempt } from '../ports.ts';
import type { SocketAddress } from './address.ts';

export type SiteRulesInForce = Pick<DevicePolicy, 'actions' | 'allow'>;

export type ToFilter =
  | { kind: 'start'; own: SocketAddress; page: SocketAddress | null; upstream: SocketAddress[] }
  | { kind: 'rules'; rules: SiteRulesInForce | null }
  | { kind: 'definitions'; definitions: Definition[]; sites: Uint8Array | null }
  | { kind: 'upstream'; servers: SocketAddress[] }
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
  | { kind: 'pong' };
