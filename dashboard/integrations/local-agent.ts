import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver, LocalStatus } from '@porchlight/contract/loopback.ts';

/** The agent on this computer, over loopback (7.35 to 7.37). Null if blocked, timed out or absent, which look alike (P3.3). */

const base = `http://127.0.0.1:${limits.loopback_port}`;
/** How many polling intervals an answer may take on a busy computer. */
const statusTimeoutPolls = 4;

/** `timeoutMs`: the timeout in milliseconds; null while the browser asks for permission. */
export async function localStatus(timeoutMs: number | null = statusTimeoutPolls * limits.local_app_poll): Promise<LocalStatus | null> {
  const signal = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(`${base}/.well-known/`, { cache: 'no-store', credentials: 'omit', signal });
    const status = (await answer.json()) as LocalStatus;
    if (!answer.ok || typeof status.l !== 'boolean') return null;
    rememberAgent();
    return status;
  } catch {
    return null;
  }
}

/** How long a browser counts as near an agent, in seconds: the longest life of a cookie. */
const NEAR_AGENT_SECONDS = 400 * 24 * 3600;

/** An agent has answered this browser (P10.2), which the server reads: from here an answer about this computer also takes a code. */
function rememberAgent(): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API, and none has it over http.
  document.cookie = `near_agent=1; Path=/; SameSite=Strict; Max-Age=${NEAR_AGENT_SECONDS}${secure}`;
}

/** The agent's window asks who owns this computer (P10.8). */
export type Waiting = 'asked' | 'pin_needed';

/**
 * The result of handing over a link: accepted, waiting for the user's answer in the agent's window (`pin_needed`: with the PIN of the
 * computer's present account), declined by the user, refused by the agent, or without an answer during the whole search.
 */
export async function handOver(link: HandOver): Promise<'taken' | Waiting | 'declined' | 'refused' | 'no_answer'> {
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
    return 'no_answer';
  }
}

/** The link for the user to press: the system opens the program, even if the browser blocks loopback calls. */
export function deepLink({ uri, signature }: HandOver): string {
  return `${uri}&signature=${encodeURIComponent(signature)}`;
}

/** Connected means logged in and not in guest mode (P3.2). */
export function isConnected(status: LocalStatus | null): boolean {
  return status?.l === true && !status.g;
}

/** False if unknown without a permission prompt. */
export async function isProtectedHere(): Promise<boolean> {
  return (await loopbackPermission()) === 'granted' && isConnected(await localStatus(limits.local_app_poll));
}

/** Counts an agent of any account. False if unknown without a permission prompt. */
export async function answersHere(): Promise<boolean> {
  return (await loopbackPermission()) === 'granted' && (await localStatus(limits.local_app_poll)) !== null;
}

/** Browsers ask only for pages that do not come from this computer. */
export async function loopbackPermission(): Promise<PermissionState> {
  if (['localhost', '127.0.0.1'].includes(window.location.hostname)) return 'granted';
  // The older permission name covers the whole local network.
  for (const name of ['loopback-network', 'local-network-access']) {
    try {
      return (await navigator.permissions.query({ name: name as PermissionName })).state;
    } catch {
      // A browser without the permission does not ask for it.
    }
  }
  return 'granted';
}
