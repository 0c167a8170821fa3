import { useQueryClient } from '@tanstack/react-query';

/** Awaits some work and then loads again what it changed: everything whose key begins with `key`. */
export function useRefreshing(key: string[]): <T>(work: Promise<T>) => Promise<T> {
  const client = useQueryClient();
  return async (work) => {
    const done = await work;
    await client.invalidateQueries({ queryKey: key });
    return done;
  };
}
