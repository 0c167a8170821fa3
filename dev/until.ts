import { setTimeout as sleep } from 'node:timers/promises';

export async function until<T>(
  description: string,
  condition: () => Promise<T> | T,
  timeoutMs = 30_000,
  intervalMs = 25,
): Promise<NonNullable<T>> {
  for (const end = Date.now() + timeoutMs; ; await sleep(intervalMs)) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${description}.`);
  }
}

/** Whether a server answers with 2xx within two seconds. */
export async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
