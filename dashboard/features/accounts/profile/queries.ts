import type { Profile } from '@porchlight/contract/accounts.ts';
import type { Api } from '@porchlight/contract/all.ts';
import type { CallInput } from '@porchlight/contract/endpoint.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { useRefreshing } from '../../../lib/use-refreshing.ts';

const profileKey = ['profile'];
const pinKey = ['admin-pin'];
const sessionsKey = ['sessions'];

export type ProfileChange = CallInput<Api['PATCH /web/profile']>['body'];

/** Saves what changed, and answers the profile as it is then (7.7). */
export function useSaveProfile(): (body: ProfileChange) => Promise<Profile | undefined> {
  const client = useQueryClient();
  return async (body) => {
    await call('PATCH /web/profile', { body });
    await client.invalidateQueries({ queryKey: profileKey });
    return client.getQueryData<Profile>(profileKey);
  };
}

/** `refresh` loads the profile anew; not before whoever waits for `verify` has closed what would vanish with it. */
export function usePhoneCode() {
  const client = useQueryClient();
  return {
    send: () => call('POST /web/send-phone-code'),
    verify: (code: string) => call('POST /web/verify-phonenumber', { body: { code } }),
    refresh: () => client.invalidateQueries({ queryKey: profileKey }),
  };
}

/**
 * Loaded each time the screen opens (4.32), and not kept after it has closed. Not by itself: whoever may be told hears each time
 * that the PIN was shown.
 */
export function useAdminPin() {
  const client = useQueryClient();
  const pin = useQuery({
    queryKey: pinKey,
    queryFn: async () => (await call('GET /web/bypasspassword')).bypass_password,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const reset = async () => {
    const { bypass_password } = await call('POST /web/bypasspassword');
    client.setQueryData(pinKey, bypass_password);
  };
  return { pin, reset };
}

export function useSessions() {
  const then = useRefreshing(sessionsKey);
  return {
    sessions: useQuery({ queryKey: sessionsKey, queryFn: async () => (await call('GET /web/accounts/sessions')).sessions }),
    end: (uuid: string) => then(call('DELETE /web/accounts/sessions/:uuid', { params: { uuid } })),
  };
}
