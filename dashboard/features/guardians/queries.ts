import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['guardians'];
const pollMs = 5000;

export function useGuardians(enabled = true) {
  return useQuery({ queryKey: key, queryFn: async () => (await call('GET /web/guardians')).guardians, refetchInterval: pollMs, enabled });
}

export function useGuardianSees(uuid: string) {
  const params = { uuid };
  return {
    view: useQuery({
      queryKey: [...key, uuid, 'view'],
      queryFn: () => call('GET /web/guardians/:uuid/view', { params }),
      refetchInterval: pollMs,
      retry: false,
    }),
    looks: useQuery({
      queryKey: [...key, uuid, 'looks'],
      queryFn: async () => (await call('GET /web/guardians/:uuid/looks', { params })).looks,
      refetchInterval: pollMs,
      retry: false,
    }),
  };
}

export function useGuardianActions() {
  return {
    add: useWrite((body: { name: string; email: string }) => call('POST /web/create-guardian', { body }), key),
    remove: useWrite((uuid: string) => call('DELETE /web/guardians/:uuid', { params: { uuid } }), key),
    mayIsolate: useWrite(
      ({ uuid, may_isolate }: { uuid: string; may_isolate: boolean }) =>
        call('PATCH /web/guardians/:uuid', { params: { uuid }, body: { may_isolate } }),
      key,
    ),
    order: useWrite((order: string[]) => call('PUT /web/guardians/order', { body: { order } }), key),
    resend: useWrite((uuid: string) => call('POST /web/guardians/:uuid/resend', { params: { uuid } }), key),
  };
}
