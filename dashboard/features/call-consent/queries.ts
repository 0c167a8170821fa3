import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

/** Below the device, so that a change of its user loads this again. */
const keyOf = (id: string) => ['devices', id, 'call-consent'];
const callPollMs = 1500;

/** Polls while a call is on its way; the server says when it is over. */
export function useCallConsent(id: string) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: () => call('GET /web/devices/:id/call-consent', { params: { id } }),
    refetchInterval: (query) => (query.state.data?.calling ? callPollMs : false),
    retry: false,
  });
}

export function useCallConsentActions(id: string) {
  const params = { id };
  return {
    ask: useWrite(() => call('POST /web/devices/:id/call-consent', { params }), keyOf(id)),
    withdraw: useWrite(() => call('DELETE /web/devices/:id/call-consent', { params }), keyOf(id)),
  };
}
