import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import { useQuery } from '@tanstack/react-query';

// Few who open a page for anyone are logged in.
const ownSupport = async () => (await import('./ask-own-support.ts')).askOwnSupport();

/**
 * Who supports whoever is logged in (1.4), for a page that anyone may open. It is asked quietly: a login that has ended meanwhile leads nobody away from
 * here, and then it is not known.
 */
export function useOwnSupport(enabled: boolean): ThirdPartySupport | null | undefined {
  const { data } = useQuery({ queryKey: ['own-support'], queryFn: ownSupport, enabled, staleTime: Number.POSITIVE_INFINITY });
  return data;
}
