import type { AllowListDuration, AllowListEntryType } from '@porchlight/contract/allow-list.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['exceptions'];

/** Polled, because entries expire. */
export function useAllowList(device: string) {
  return useQuery({
    queryKey: [...key, device],
    queryFn: () => call('GET /web/devices/:id/v2/exceptions', { params: { id: device } }),
    refetchInterval: 15_000,
  });
}

export function useAllowablePrograms() {
  return useQuery({
    queryKey: ['allowable'],
    queryFn: () => call('GET /definitions/allowlistable.json'),
    staleTime: 600_000,
    retry: false,
  });
}

/** Clause 4.36. */
export function useAllowListActions(device: string) {
  const params = { id: device };
  return {
    add: useWrite(
      (body: { type: AllowListEntryType; identifier: string; lasts?: AllowListDuration }) =>
        call('POST /web/devices/:id/v2/exceptions', { params, body }),
      key,
    ),
    remove: useWrite((id: string) => call('DELETE /web/devices/:id/v2/exceptions', { params, body: { id } }), key),
  };
}
