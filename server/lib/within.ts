/** The value of `work`, or after `limitMs` milliseconds that of `late`. */
export async function within<T, L>(work: Promise<T>, limitMs: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late()), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
