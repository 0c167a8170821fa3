import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useRefreshing } from '../../lib/use-refreshing.ts';

const key = ['guardians'];

export function useGuardians() {
  return useQuery({ queryKey: key, queryFn: async () => (await call('GET /web/guardians')).guardians, refetchInterval: 15_000 });
}

/** What the holder does with guardians; the list is loaded again after each. */
export function useGuardianActions() {
  const then = useRefreshing(key);
  return {
    add: (name: string, email: string) => then(call('POST /web/create-guardian', { body: { name, email } })),
    remove: (uuid: string) => then(call('DELETE /web/guardians/:uuid', { params: { uuid } })),
    resend: (uuid: string) => then(call('POST /web/guardians/:uuid/resend', { params: { uuid } })),
  };
}
