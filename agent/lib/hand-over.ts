import type { HandOver } from '@porchlight/contract/loopback.ts';

const TIMEOUT_MS = 30_000;

/** Why the agent refused a link. `status`: null without an answer; `code` and `error`: from the agent. */
export interface NotTaken {
  status: number | null;
  code?: string;
  error?: string;
}

/** Hands a clicked link to the local agent, with the same checks as for the dashboard. Null: the agent accepted it. */
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
