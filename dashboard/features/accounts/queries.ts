import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const profileKey = ['profile'];

export function useProfile(options: { enabled?: boolean; poll?: number } = {}) {
  return useQuery({
    queryKey: profileKey,
    queryFn: () => call('GET /web/profile'),
    enabled: options.enabled ?? true,
    ...(options.poll ? { refetchInterval: options.poll } : {}),
  });
}

/**
 * The profile, if a guard has already loaded it. The frame must not request it: with an expired login the 401 would
 * redirect from a page that is open to anyone.
 */
export const useKnownProfile = () => useProfile({ enabled: false });

export const useSendConfirmation = () => useWrite(() => call('POST /web/verify-email'));

export const useConfirmEmail = () => useWrite((token: string) => call('POST /confirm-email', { body: { token } }), profileKey);

/** `refresh` reloads the profile; not after an undone change, which ended every session. */
export function useConfirmEmailChange() {
  const client = useQueryClient();
  return {
    confirm: useWrite((token: string) => call('POST /confirm-email-change', { body: { token } })),
    refresh: () => client.invalidateQueries({ queryKey: profileKey }),
  };
}

/** Does not use the sign-up code up. Null for a device code. */
export function useSignupCode(code: string) {
  return useQuery({
    queryKey: ['signup-code', code],
    queryFn: async () => {
      const answer = await call('POST /code', { body: { code } });
      return 'signup_code_id' in answer ? answer.signup_code_id : null;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

// Loaded on demand: few visitors of public pages are logged in.
const ownSupport = async () => (await import('./ask-own-support.ts')).askOwnSupport();

/** Support for the logged-in user (1.4), for public pages. Undefined after an expired login, which must not redirect from there. */
export function useOwnSupport(enabled: boolean): ThirdPartySupport | null | undefined {
  const { data } = useQuery({ queryKey: ['own-support'], queryFn: ownSupport, enabled, staleTime: Number.POSITIVE_INFINITY });
  return data;
}
