import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { endSession } from '../../lib/session.ts';

const profileKey = ['profile'];

export function useProfile(options: { enabled?: boolean; poll?: number } = {}) {
  return useQuery({
    queryKey: profileKey,
    queryFn: () => call('GET /web/profile'),
    enabled: options.enabled ?? true,
    ...(options.poll ? { refetchInterval: options.poll } : {}),
  });
}

/** Ends the session here and on the server; what was loaded is forgotten. */
export function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await call('POST /web/logout').catch(() => {});
    endSession();
    client.clear();
  };
}
