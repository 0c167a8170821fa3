import type { Person } from '@porchlight/contract/devices.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['devices'];
const pollMs = 5000;
/** The device list is polled more often after adding a device (4.13), and reloaded with each new alert. */
export const listPoll = 60_000;

export function useDevices() {
  return useQuery({ queryKey: key, queryFn: async () => (await call('GET /web/devices')).devices, refetchInterval: listPoll });
}

export function useDevice(id: string, pollEveryMs: number = pollMs) {
  return useQuery({
    queryKey: [...key, id],
    queryFn: () => call('GET /web/devices/:id', { params: { id } }),
    refetchInterval: pollEveryMs,
    retry: false,
  });
}

export function useDeviceActions() {
  return {
    create: useWrite(
      ({ id, name, policy, person }: { id: string; name: string; policy: PolicyId; person?: Person | null }) =>
        call('POST /web/create-device', { body: { name, policy, draft: id, ...(person ? { person } : {}) } }),
      key,
    ),
    /** Updating a device without `person` keeps its user. */
    update: useWrite(
      ({ uuid, ...change }: { uuid: string; name: string; policy: PolicyId; person?: Person | null }) =>
        call('POST /web/devices/:uuid', { params: { uuid }, body: change }),
      key,
    ),
    remove: useWrite((uuid: string) => call('DELETE /web/devices/:uuid', { params: { uuid } }), key),
    newCode: useWrite((uuid: string) => call('POST /web/devices/:uuid/code', { params: { uuid } }), key),
  };
}
