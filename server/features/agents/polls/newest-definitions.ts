import type { NewestDefinitions } from './poll-backend.ts';

/** Remembers the newest definitions, so that a poll does not read them. */
export function newestDefinitions(read: () => Promise<NewestDefinitions>) {
  let newest: NewestDefinitions | null = null;
  const refresh = async (): Promise<NewestDefinitions> => {
    newest = await read();
    return newest;
  };
  return { get: async () => newest ?? refresh(), refresh };
}
