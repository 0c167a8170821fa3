import type { UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['unlisted-protection'];

export function useUnlistedProtection() {
  return {
    protection: useQuery({ queryKey: key, queryFn: () => call('GET /web/unlisted-protection') }),
    change: useWrite((body: Partial<UnlistedProtection>) => call('PATCH /web/unlisted-protection', { body }), key),
  };
}
