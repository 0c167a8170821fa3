import type { AlertSettings } from '@porchlight/contract/care.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useRefreshing } from '../../lib/use-refreshing.ts';

const settingsKey = ['alert-settings'];
const drillKey = ['fire-drill'];

export function useAlertSettings() {
  const then = useRefreshing(settingsKey);
  return {
    settings: useQuery({ queryKey: settingsKey, queryFn: () => call('GET /web/alert-settings') }),
    change: (body: Partial<AlertSettings>) => then(call('PATCH /web/alert-settings', { body })),
  };
}

/** The last practice alert. Asked for each second as long as somebody is still being told. */
export function useFireDrill() {
  const then = useRefreshing(drillKey);
  return {
    drill: useQuery({
      queryKey: drillKey,
      queryFn: async () => (await call('GET /web/fire-drill')).drill,
      refetchInterval: ({ state }) => (state.data?.reached.some((one) => one.state === 'waiting') ? 1000 : 5000),
    }),
    start: () => then(call('POST /web/fire-drill')),
  };
}

export function useActs() {
  return useQuery({ queryKey: ['acts'], queryFn: async () => (await call('GET /web/acts')).items, refetchInterval: 15_000 });
}
