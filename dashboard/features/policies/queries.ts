import type { OwnPolicy } from '@porchlight/contract/policies.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['policies'];

export function usePolicies() {
  return useQuery({ queryKey: key, queryFn: () => call('GET /web/policies') });
}

export function useOwnPolicies() {
  return useQuery({ queryKey: key, queryFn: () => call('GET /web/policies'), select: (policies) => policies.custom_policies });
}

/** Removing a profile changes devices too. */
export function usePolicyActions() {
  return {
    make: useWrite((body: OwnPolicy) => call('POST /web/policies', { body }), key),
    change: useWrite(
      ({ uuid, ...body }: OwnPolicy & { uuid: string }) => call('PATCH /web/policies/:uuid', { params: { uuid }, body }),
      key,
    ),
    remove: useWrite((uuid: string) => call('DELETE /web/policies/:uuid', { params: { uuid } }), key, ['devices']),
  };
}
