import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import { useQuery } from '@tanstack/react-query';
import type { call } from '../../lib/call.ts';
import { request } from '../../lib/http.ts';
import { token } from '../../lib/session.ts';

type Profile = Awaited<ReturnType<typeof call<'GET /web/profile'>>>;

/**
 * Who supports whoever is logged in (1.4), for a page that anyone may open. It is asked quietly: a login that has ended meanwhile leads nobody away from
 * here, and then it is not known.
 */
export function useOwnSupport(enabled: boolean): ThirdPartySupport | null | undefined {
  const { data } = useQuery({ queryKey: ['own-support'], queryFn: ownSupport, enabled, staleTime: Number.POSITIVE_INFINITY });
  return data;
}

async function ownSupport(): Promise<ThirdPartySupport | null> {
  const bearer = token();
  if (!bearer) return null;
  try {
    const { body } = await request('GET', '/api/web/profile', undefined, { authorization: `Bearer ${bearer}` });
    return (body as Profile).third_party_support ?? null;
  } catch {
    return null;
  }
}
