import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the value is truthy; fails with `name` after `within` ms. */
export async function until<T>(name: string, condition: () => T | Promise<T>, within = 10_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + within; ; await sleep(10)) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > end) throw new Error(`In vain waited for: ${name}`);
  }
}

/** Waits until a count is `wanted`; fails with `name` when it has not changed for `within` ms, since much work takes a loaded computer long. */
export async function untilCount(name: string, wanted: number, count: () => number, within = 10_000): Promise<void> {
  let [lastCount, end] = [Number.NaN, 0];
  for (let current = count(); current !== wanted; current = count()) {
    if (current !== lastCount) [lastCount, end] = [current, Date.now() + within];
    if (Date.now() > end) throw new Error(`In vain waited for: ${name}; there were ${current} of ${wanted}`);
    await sleep(10);
  }
}
