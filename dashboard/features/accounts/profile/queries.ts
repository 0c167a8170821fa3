import type { Profile } from '@porchlight/contract/accounts.ts';
import type { Api } from '@porchlight/contract/all.ts';
import type { CallInput } from '@porchlight/contract/endpoint.ts';
import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { useWrite } from '../../../lib/use-write.ts';

const profileKey = ['profile'];
const pinKey = ['admin-pin'];
const sessionsKey = ['sessions'];

export type ProfileChange = CallInput<Api['PATCH /web/profile']>['body'];

/** Returns the saved profile (7.7). */
export function useSaveProfile(): (body: ProfileChange) => Promise<Profile | undefined> {
  const client = useQueryClient();
  const save = useWrite((body: ProfileChange) => call('PATCH /web/profile', { body }), profileKey);
  return async (body) => {
    await save(body);
    return client.getQueryData<Profile>(profileKey);
  };
}

export const useChangePassword = () => useWrite((body: HolderProof & { password: string }) => call('PATCH /web/profile', { body }));

/** `refresh` reloads the profile. The caller of `verify` first closes what would disappear with it. */
export function usePhoneCode() {
  const client = useQueryClient();
  return {
    send: useWrite(() => call('POST /web/send-phone-code')),
    verify: useWrite((code: string) => call('POST /web/verify-phonenumber', { body: { code } })),
    refresh: () => client.invalidateQueries({ queryKey: profileKey }),
  };
}

/** The Admin PIN, loaded each time its screen opens (4.32) and never cached. Only on request, because each display notifies people. */
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
  const reset = useWrite(async () => {
    const { bypass_password } = await call('POST /web/bypasspassword');
    client.setQueryData(pinKey, bypass_password);
  });
  return { pin, reset };
}

export function useSessions() {
  return {
    sessions: useQuery({ queryKey: sessionsKey, queryFn: async () => (await call('GET /web/accounts/sessions')).sessions }),
    end: useWrite((uuid: string) => call('DELETE /web/accounts/sessions/:uuid', { params: { uuid } }), sessionsKey),
    endAll: useWrite(() => call('POST /web/logout-everywhere')),
  };
}
