/** The results of `work`, which begins when the former has ended, so that it needs the memory of one. */
export async function oneByOne<T, R>(list: T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of list) results.push(await work(one));
  return results;
}
