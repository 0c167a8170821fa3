import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { reportHandledError } from '../lib/handled-errors.ts';
import { HttpError } from '../lib/http.ts';
import { onSessionEnd } from '../lib/session.ts';
import { useShell } from './shell.ts';

/** A refusal stays a refusal; a lost connection may come back. */
const retry = (count: number, error: unknown) => count < 2 && !(error instanceof HttpError && error.status !== null && error.status < 500);

/** Queries and mutations run without a network too: only a request that fails can be shown as failed (8.3), and the network may be the one to this computer. */
const defaultOptions = {
  queries: { retry, staleTime: 2000, networkMode: 'always', refetchOnReconnect: true },
  // A mutation's input may be a password, so none stays in the cache.
  mutations: { networkMode: 'always', gcTime: 0 },
} as const;

/** Gives what is inside the one cache of server state. Several of these share it, since parts of the page load one by one. */
export function ServerState({ children }: { children: ReactNode }) {
  const { queryClient } = useShell();
  queryClient.current ??= new QueryClient({ queryCache: new QueryCache({ onError: reportHandledError }), defaultOptions });
  const client = queryClient.current;
  useEffect(
    () =>
      onSessionEnd((how) => {
        if (how !== 'logout') return;
        void client.cancelQueries();
        client.clear();
      }),
    [client],
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
