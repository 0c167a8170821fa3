import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { ConfirmProvider } from '../ui/confirm-dialog.tsx';

/** What parts need that load their data and have dialogs. */
export function WithQueries({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  return (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ConfirmProvider>{children}</ConfirmProvider>
      </MemoryRouter>
    </QueryClientProvider>
  );
}
