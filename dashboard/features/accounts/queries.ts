import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { forgetKept } from '../../lib/kept.ts';
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

/** Ends the session here at once, and on the server as soon as it can be reached; what was loaded and kept is forgotten. */
export function useLogout(): () => void {
  const client = useQueryClient();
  return () => {
    call('POST /web/logout').catch(() => {});
    endSession('logout');
    forgetKept();
    void client.cancelQueries();
    client.clear();
  };
}
