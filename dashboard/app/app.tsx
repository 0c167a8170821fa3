import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { reportHandledError } from '../lib/handled-errors.ts';
import { HttpError } from '../lib/http.ts';
import { ConfirmProvider } from '../ui/confirm-dialog.tsx';
import { GuardedRoute } from './guarded-route.tsx';
import { Layout } from './layouts.tsx';
import { NewDevicePoll } from './new-device-poll.tsx';
import { routes } from './routes.tsx';
import { SupportProvider } from './support-provider.tsx';

/** A refusal will be one again; a connection that was lost may come back. */
const retry = (count: number, error: unknown) => count < 2 && !(error instanceof HttpError && error.status !== null && error.status < 500);

/** Without a network it is asked all the same: only what fails can be told (8.3), and the network may be the one to this computer. */
const queries = { retry, staleTime: 2000, networkMode: 'always', refetchOnReconnect: true } as const;

export function App() {
  const [client] = useState(
    () => new QueryClient({ queryCache: new QueryCache({ onError: reportHandledError }), defaultOptions: { queries } }),
  );
  return (
    <QueryClientProvider client={client}>
      <ConfirmProvider>
        <BrowserRouter basename="/dashboard">
          <SupportProvider>
            <NewDevicePoll>
              <Layout>
                <Routes>
                  {routes.map((row) => (
                    <Route key={row.path} path={row.path} element={<GuardedRoute key={row.path} row={row} />} />
                  ))}
                </Routes>
              </Layout>
            </NewDevicePoll>
          </SupportProvider>
        </BrowserRouter>
      </ConfirmProvider>
    </QueryClientProvider>
  );
}
