import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the value is truthy; fails with `name` after `within` ms. */
export async function until<T>(name: string, condition: () => T | Promise<T>, within = 10_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + within; ; await sleep(10)) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > end) throw new Error(`In vain waited for: ${name}`);
  }
}
