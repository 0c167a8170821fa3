import { brand } from '@porchlight/contract/brand.ts';
import type { ClosableDoor, DoorState } from '../../os/doors.ts';
import type { FoundMatch } from '../../ports.ts';

export interface DoorFinding {
  kind: 'door';
  door:
    | 'remote_desktop'
    | 'remote_shell'
    | 'screen_sharing'
    | 'remote_assistance'
    | 'administrator'
    | 'hosts_file'
    | 'dns'
    | 'proxy'
    | 'own_service'
    | 'own_files'
    | 'tunnel';
  /** Its name is for users, and fits behind *We found*. */
  match: FoundMatch;
  /** Such as login names or addresses; at most 300 characters. */
  details: string;
  closable: ClosableDoor | null;
}

/** Lists that block advertisements have thousands of names, change often, and redirect nothing. */
const MAX_BLOCKED_BY_HAND = 50;
const MAX_DETAILS = 300;

/**
 * The doors that were opened between two readings. A door that was unreadable before, or that was closed, is none. `ours`: our own updater
 * or installer changed our program in between.
 */
export function detectDoors(before: DoorState, now: DoorState, ours = false): DoorFinding[] {
  const opened = (door: 'remote_desktop' | 'remote_shell' | 'screen_sharing' | 'remote_assistance') =>
    before[door] === false && now[door] === true;
  const admins = added(before.administrators, now.administrators);
  const hosts = changedHosts(added(before.hosts_file?.entries, now.hosts_file?.entries), now.hosts_file?.entries ?? []);
  const servers = added(before.dns_changed_by_others, now.dns_changed_by_others);
  const proxy = before.proxy === null || before.proxy === now.proxy ? null : now.proxy;
  return [
    opened('remote_desktop') && finding('remote_desktop', 'Remote Desktop', [], { door: 'remote_desktop' }),
    opened('remote_shell') && finding('remote_shell', 'Remote login (SSH)', [], { door: 'remote_shell' }),
    opened('screen_sharing') && finding('screen_sharing', 'Screen sharing', [], { door: 'screen_sharing' }),
    opened('remote_assistance') && finding('remote_assistance', 'Remote Assistance'),
    admins.length > 0 && finding('administrator', 'A new administrator', admins),
    hosts.length > 0 &&
      finding('hosts_file', 'A change of website addresses', [...new Set(hosts.map(nameIn))], {
        door: 'hosts_file',
        entries: hosts,
      }),
    servers.length > 0 && finding('dns', 'A change of the DNS servers', servers),
    proxy && finding('proxy', 'A proxy for all websites', [proxy]),
    before.own_service === 'on' &&
      now.own_service === 'off' &&
      finding('own_service', `Switching off ${brand.name}`, [], { door: 'own_service' }),
    !ours &&
      before.own_files !== null &&
      now.own_files !== null &&
      before.own_files !== now.own_files &&
      finding('own_files', `A change of ${brand.name}’s files`),
  ].filter((one) => one !== null && typeof one === 'object');
}

function finding(door: DoorFinding['door'], name: string, values: string[] = [], closable: ClosableDoor | null = null): DoorFinding {
  const identifier = `door-${door.replaceAll('_', '-')}`;
  const match: FoundMatch = { identifier, name, category: 'Door', certainty: 'certain', why: [`door=${door}`] };
  return { kind: 'door', door, match, details: detailsOf(values), closable };
}

function added(before: string[] | null | undefined, now: string[] | null | undefined): string[] {
  if (!before || !now) return [];
  const known = new Set(before);
  return [...new Set(now)].filter((one) => !known.has(one));
}

/** As many values as fit, and how many are left out. */
function detailsOf(values: string[]): string {
  const clean = values.map((value) => value.replace(/[\p{C}\p{Z}]+/gu, ' ').trim());
  const whole = clean.join(', ');
  if (whole.length <= MAX_DETAILS) return whole;
  const [first = ''] = clean;
  let text = first.slice(0, MAX_DETAILS - 20);
  let count = 1;
  for (const value of clean.slice(1)) {
    if (text.length + value.length > MAX_DETAILS - 20) break;
    text += `, ${value}`;
    count++;
  }
  return count < clean.length ? `${text}, and ${clean.length - count} more` : `${text}…`;
}

const nameIn = (entry: string) => entry.slice(entry.indexOf(' ') + 1);

const blockingAddress = /^(0\.0\.0\.0|127\.[\d.]+|::1?) /;
/** Addresses of the local network and of VPNs, which lead to no scammer's server. */
const privateAddress =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/;
/** Debian and others give the computer its own name there. */
const ownNameAddress = '127.0.1.1 ';
/** Names that exist only on this computer or in its network, such as Docker's `host.docker.internal`. */
const localName = /^[^.]+$|\.(internal|local|localhost|localdomain|lan|home|intranet|corp|private|test|example|invalid|home\.arpa)$/;

/**
 * Of the added entries those that lead a public name to a public address; and those that block a public name, unless the file has a list of
 * blocked names anyway.
 */
function changedHosts(entries: string[], all: string[]): string[] {
  const isPublic = (entry: string) => !localName.test(nameIn(entry)) && !entry.startsWith(ownNameAddress);
  const hasList = all.filter((entry) => blockingAddress.test(entry)).length > MAX_BLOCKED_BY_HAND;
  return entries.filter((entry) => isPublic(entry) && (blockingAddress.test(entry) ? !hasList : !privateAddress.test(entry)));
}
