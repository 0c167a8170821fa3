import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { endSession } from '../../lib/session.ts';
import { clearStored } from '../../lib/tab-storage.ts';

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

/** Ends the session here at once, and on the server as soon as it can be reached; what was loaded and kept is forgotten. */
export function useLogout(): () => void {
  const client = useQueryClient();
  return () => {
    call('POST /web/logout').catch(() => {});
    endSession('logout');
    clearStored();
    void client.cancelQueries();
    client.clear();
  };
}
