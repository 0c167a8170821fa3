import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import type { call } from '../../lib/call.ts';
import { request } from '../../lib/http.ts';
import { token } from '../../lib/session.ts';

type Profile = Awaited<ReturnType<typeof call<'GET /web/profile'>>>;

/** Null without third-party support, and if the request fails. */
export async function askOwnSupport(): Promise<ThirdPartySupport | null> {
  const bearer = token();
  if (!bearer) return null;
  try {
    const { body } = await request('GET', '/api/web/profile', undefined, { authorization: `Bearer ${bearer}` });
    return (body as Profile).third_party_support ?? null;
  } catch {
    return null;
  }
}
