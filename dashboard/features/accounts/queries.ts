import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

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
