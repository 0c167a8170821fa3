import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/**
 * A write to the server. It resolves once the queries that it changed are loaded again: all whose keys begin with one of `keys`.
 * Guests' screens write with `call` alone: nothing of theirs is cached, and their first load does not carry the query library.
 */
export function useWrite<Result, Input = void>(
  write: (input: Input) => Promise<Result>,
  ...keys: QueryKey[]
): (input: Input) => Promise<Result> {
  const client = useQueryClient();
  const reload = () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  return useMutation({ mutationFn: (input: Input) => write(input), onSuccess: reload }).mutateAsync;
}
