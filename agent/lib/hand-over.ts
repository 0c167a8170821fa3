import type { HandOver } from '@porchlight/contract/loopback.ts';

/** In milliseconds: the agent asks its server before it answers. */
const TIMEOUT_MS = 30_000;

/** Why a link was not taken. `status` is null when nobody answered; `code` and `error` are the agent's own, where it gave some. */
export interface NotTaken {
  status: number | null;
  code?: string;
  error?: string;
}

/** Hands a clicked link to the agent on this computer, as the dashboard does: through every check of the loopback call. Null when it was taken. */
export async function handOver({ uri, signature, origin }: HandOver & { origin: string }, port: number): Promise<NotTaken | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/uri`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ uri, signature }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (!answer) return { status: null };
  if (answer.ok) return null;
  return { ...((await answer.json().catch(() => ({}))) as { code?: string; error?: string }), status: answer.status };
}
