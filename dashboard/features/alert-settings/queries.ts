import type { AlertSettings } from '@porchlight/contract/care.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useRefreshing } from '../../lib/use-refreshing.ts';

const key = ['alert-settings'];

export function useAlertSettings() {
  const then = useRefreshing(key);
  return {
    settings: useQuery({ queryKey: key, queryFn: () => call('GET /web/alert-settings') }),
    change: (body: Partial<AlertSettings>) => then(call('PATCH /web/alert-settings', { body })),
  };
}
