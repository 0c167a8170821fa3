import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { reportHandledError } from '../lib/handled-errors.ts';
import { HttpError } from '../lib/http.ts';
import { onSessionEnd } from '../lib/session.ts';
import { useShell } from './shell.ts';

const retry = (count: number, error: unknown) => count < 2 && !(error instanceof HttpError && error.status !== null && error.status < 500);

/** Requests are tried offline too: only a failed request can be shown as failed (8.3), and the loopback may work. */
const defaultOptions = {
  queries: { retry, staleTime: 2000, networkMode: 'always', refetchOnReconnect: true },
  // A mutation's input may be a password, so it must not stay in the cache.
  mutations: { networkMode: 'always', gcTime: 0 },
} as const;

/** All instances share one cache, since parts of the page load separately. */
export function ServerState({ children }: { children: ReactNode }) {
  const { queryClient } = useShell();
  queryClient.current ??= new QueryClient({ queryCache: new QueryCache({ onError: reportHandledError }), defaultOptions });
  const client = queryClient.current;
  useEffect(
    () =>
      onSessionEnd((reason) => {
        if (reason !== 'logout') return;
        void client.cancelQueries();
        client.clear();
      }),
    [client],
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
