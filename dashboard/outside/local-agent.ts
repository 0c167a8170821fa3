import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver, LocalStatus } from '@porchlight/contract/loopback.ts';

/** The agent on this very computer, over loopback (7.35 to 7.37). Refused by the browser, timed out and absent all look the same: null (P3.3). */

const base = `http://127.0.0.1:${limits.loopback_port}`;

export async function localStatus(signal?: AbortSignal): Promise<LocalStatus | null> {
  try {
    const answer = await fetch(`${base}/.well-known/`, { cache: 'no-store', credentials: 'omit', ...(signal ? { signal } : {}) });
    const status = (await answer.json()) as LocalStatus;
    return answer.ok && typeof status.l === 'boolean' ? status : null;
  } catch {
    return null;
  }
}

/** True when the agent took the link. */
export async function handOver(link: HandOver): Promise<boolean> {
  try {
    const answer = await fetch(`${base}/api/uri`, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(link),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Connected means logged in and not in guest mode (P3.2). */
export function isConnected(status: LocalStatus | null): boolean {
  return status?.l === true && !status.g;
}

/** Will the browser let this page talk to this computer? It asks only a page that does not come from this computer itself. */
export async function loopbackPermission(): Promise<'granted' | 'prompt' | 'denied'> {
  if (['localhost', '127.0.0.1'].includes(window.location.hostname)) return 'granted';
  try {
    const { state } = await navigator.permissions.query({ name: 'loopback-network' as PermissionName });
    return state;
  } catch {
    // A browser that does not know the permission does not ask for it.
    return 'granted';
  }
}
