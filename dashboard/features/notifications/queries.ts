import type { AlertSettings } from '@porchlight/contract/alert-settings.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['alert-settings'];

export function useAlertSettings() {
  return {
    settings: useQuery({ queryKey: key, queryFn: () => call('GET /web/alert-settings') }),
    change: useWrite((body: Partial<AlertSettings>) => call('PATCH /web/alert-settings', { body }), key),
  };
}
