import type { Person } from '@porchlight/contract/devices.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['devices'];
/** How often an open page asks again: what happens on a device shows within seconds. */
const poll = 5000;
/** The whole list only grows old: after setting a device up it is loaded more often (4.13), and with each new alert at once. */
export const listPoll = 60_000;

export function useDevices() {
  return useQuery({ queryKey: key, queryFn: async () => (await call('GET /web/devices')).devices, refetchInterval: listPoll });
}

export function useDevice(id: string, every: number = poll) {
  return useQuery({
    queryKey: [...key, id],
    queryFn: () => call('GET /web/devices/:id', { params: { id } }),
    refetchInterval: every,
    retry: false,
  });
}

/** What a holder does with devices; the list is loaded again after each. */
export function useDeviceActions() {
  return {
    create: useWrite(
      ({ id, name, policy, person }: { id: string; name: string; policy: PolicyId; person?: Person | null }) =>
        call('POST /web/create-device', { body: { name, policy, draft: id, ...(person ? { person } : {}) } }),
      key,
    ),
    /** A person that is left out stays as it is. */
    update: useWrite(
      ({ uuid, ...change }: { uuid: string; name: string; policy: PolicyId; person?: Person | null }) =>
        call('POST /web/devices/:uuid', { params: { uuid }, body: change }),
      key,
    ),
    remove: useWrite((uuid: string) => call('DELETE /web/devices/:uuid', { params: { uuid } }), key),
    newCode: useWrite((uuid: string) => call('POST /web/devices/:uuid/code', { params: { uuid } }), key),
  };
}
