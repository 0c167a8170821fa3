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
 * The profile, once the guard of a page that needs a login has asked for it. What stands around every page asks for nothing in anyone's name:
 * a login that has ended meanwhile would lead away from a page that is open to anyone.
 */
export const useKnownProfile = () => useProfile({ enabled: false });

/** Sends the email that confirms an address once more. */
export const useSendConfirmation = () => useWrite(() => call('POST /web/verify-email'));

export const useConfirmEmail = () => useWrite((token: string) => call('POST /confirm-email', { body: { token } }), profileKey);

/** `refresh` loads the profile again; not after an undone change, which has ended every session. */
export function useConfirmEmailChange() {
  const client = useQueryClient();
  return {
    confirm: useWrite((token: string) => call('POST /confirm-email-change', { body: { token } })),
    refresh: () => client.invalidateQueries({ queryKey: profileKey }),
  };
}

/** Looks a sign-up code up, which does not use it up. Null for a device's code, opened at the wrong door. */
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
