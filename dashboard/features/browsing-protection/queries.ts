import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['browsing-protection'];

export function useBrowsingProtection() {
  return {
    protection: useQuery({ queryKey: key, queryFn: () => call('GET /web/browsing-protection') }),
    change: useWrite((body: Partial<BrowsingProtection>) => call('PATCH /web/browsing-protection', { body }), key),
  };
}
