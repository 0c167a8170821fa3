import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver, LocalStatus } from '@porchlight/contract/loopback.ts';

/** The agent on this very computer, over loopback (7.35 to 7.37). Refused by the browser, timed out and absent all look the same: null (P3.3). */

const base = `http://127.0.0.1:${limits.loopback_port}`;
/** How many turns of the poll an answer may take: a computer that is busy is slow. */
const patience = 4;

/** `wait`: for how many milliseconds; null as long as the browser asks the person. */
export async function localStatus(wait: number | null = patience * limits.local_app_poll): Promise<LocalStatus | null> {
  const signal = wait === null ? null : AbortSignal.timeout(wait);
  try {
    const answer = await fetch(`${base}/.well-known/`, { cache: 'no-store', credentials: 'omit', signal });
    const status = (await answer.json()) as LocalStatus;
    return answer.ok && typeof status.l === 'boolean' ? status : null;
  } catch {
    return null;
  }
}

/** The window asks whose this computer is to be; nothing was changed yet (P10.8). */
export type Waiting = 'asked' | 'pin_needed';

/**
 * What became of a link: the agent took it, asks in its window first (`asked`; `pin_needed` where this computer belongs to an account already, whose
 * PIN the yes takes), was told no by the person (`declined`), refused it, or was not heard within the time of a whole search.
 */
export async function handOver(link: HandOver): Promise<'taken' | Waiting | 'declined' | 'refused' | 'unheard'> {
  try {
    const answer = await fetch(`${base}/api/uri`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(link),
      signal: AbortSignal.timeout(limits.local_app_poll * limits.local_app_tries),
    });
    if (answer.ok) return 'taken';
    const { code } = (await answer.json()) as { code?: string };
    return code === 'pin_needed' || code === 'asked' || code === 'declined' ? code : 'refused';
  } catch {
    return 'unheard';
  }
}

/** The same link for a person to press: the system has the program open it, also where the browser keeps the page from calling this computer. */
export function deepLink({ uri, signature }: HandOver): string {
  return `${uri}&signature=${encodeURIComponent(signature)}`;
}

/** Connected means logged in and not in guest mode (P3.2). */
export function isConnected(status: LocalStatus | null): boolean {
  return status?.l === true && !status.g;
}

/** Does an account protect this computer already, as far as can be told without the browser asking anyone? */
export async function isProtectedHere(): Promise<boolean> {
  return (await loopbackPermission()) === 'granted' && isConnected(await localStatus(limits.local_app_poll));
}

/** Does the agent run on this computer, whoever it belongs to, as far as can be told without the browser asking anyone? */
export async function answersHere(): Promise<boolean> {
  return (await loopbackPermission()) === 'granted' && (await localStatus(limits.local_app_poll)) !== null;
}

/** Will the browser let this page talk to this computer? It asks only a page that does not come from this computer itself. */
export async function loopbackPermission(): Promise<PermissionState> {
  if (['localhost', '127.0.0.1'].includes(window.location.hostname)) return 'granted';
  // The older name covers the whole local network.
  for (const name of ['loopback-network', 'local-network-access']) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // A browser that does not know the permission does not ask for it.
    }
  }
  return 'granted';
}
