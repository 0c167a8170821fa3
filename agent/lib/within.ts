/**
 * Waits for `work` at most `ms` milliseconds; it continues afterwards. False at the timeout. Throws an error of `work` before the timeout.
 */
export async function within(ms: number, work: Promise<unknown> | null | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
