import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

/** An offer by its code. It is asked for once: a code that is none stays none, and nobody waits for it. */
export function usePromo(code: string) {
  return useQuery({
    queryKey: ['promo', code],
    queryFn: () => call('GET /promo-code', { query: { code } }),
    retry: false,
    staleTime: Infinity,
  });
}

export function useSubscription(enabled = true) {
  return useQuery({ queryKey: ['subscription'], queryFn: () => call('GET /web/profile/sub'), enabled });
}
