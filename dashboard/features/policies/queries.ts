import type { OwnPolicy } from '@porchlight/contract/policies.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useRefreshing } from '../../lib/use-refreshing.ts';

const key = ['policies'];

export function useOwnPolicies() {
  return useQuery({ queryKey: key, queryFn: () => call('GET /web/policies'), select: (all) => all.custom_policies });
}

/** What the holder does with profiles of their own. Removing one changes devices too. */
export function usePolicyActions() {
  const then = useRefreshing(key);
  const thenDevices = useRefreshing(['devices']);
  return {
    make: (policy: OwnPolicy) => then(call('POST /web/policies', { body: policy })),
    change: (uuid: string, policy: OwnPolicy) => then(call('PATCH /web/policies/:uuid', { params: { uuid }, body: policy })),
    remove: (uuid: string) => thenDevices(then(call('DELETE /web/policies/:uuid', { params: { uuid } }))),
  };
}
