import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

/** Everything that we recognise, by name; the same for everyone. */
export function useFamilies() {
  return useQuery({ queryKey: ['families'], queryFn: () => call('GET /definitions/families.json'), staleTime: 3_600_000 });
}
