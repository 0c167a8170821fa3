import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `what` is true (or gives something), looking again and again; fails with `name` after `within` ms. */
export async function until<T>(name: string, what: () => T | Promise<T>, within = 10_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + within; ; await sleep(10)) {
    const got = await what();
    if (got) return got;
    if (Date.now() > end) throw new Error(`In vain waited for: ${name}`);
  }
}
