import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

export function useSubscription(enabled = true) {
  return useQuery({ queryKey: ['subscription'], queryFn: () => call('GET /web/profile/sub'), enabled });
}
