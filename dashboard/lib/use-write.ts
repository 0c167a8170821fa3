import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/**
 * A write to the server. It resolves once the queries whose keys begin with one of `keys` are loaded again.
 * Guests' screens use `call` alone, which keeps the query library out of their first load.
 */
export function useWrite<Result, Input = void>(
  write: (input: Input) => Promise<Result>,
  ...keys: QueryKey[]
): (input: Input) => Promise<Result> {
  const client = useQueryClient();
  const reload = () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  return useMutation({ mutationFn: (input: Input) => write(input), onSuccess: reload }).mutateAsync;
}
