import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

export function useFamilies() {
  return useQuery({ queryKey: ['families'], queryFn: () => call('GET /definitions/families.json'), staleTime: 3_600_000 });
}
