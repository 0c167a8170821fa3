import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds` is true (or gives something), asking every `every` ms; throws after `patience` ms with what was waited for. */
export async function until<T>(what: string, holds: () => Promise<T> | T, patience = 30_000, every = 25): Promise<NonNullable<T>> {
  for (const end = Date.now() + patience; ; await sleep(every)) {
    const found = await holds();
    if (found) return found;
    if (Date.now() > end) throw new Error(`Waited ${patience / 1000} s in vain for ${what}.`);
  }
}

/** Does this address answer with a 2xx within two seconds? */
export async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
