import type { Api } from '@porchlight/contract/all.ts';
import type { AppointmentChoice, AppointmentList } from '@porchlight/contract/appointments.ts';
import type { CallInput } from '@porchlight/contract/endpoint.ts';
import { call } from '../../lib/call.ts';

export type Opening = CallInput<Api['POST /web/appointments']>['body'];

/** What a holder or a guardian can do about appointments (P15.1). */
export interface AppointmentCalls {
  list(): Promise<AppointmentList>;
  choice(device: string): Promise<AppointmentChoice>;
  open(opening: Opening): Promise<unknown>;
  end(uuid: string): Promise<unknown>;
}

const holderAppointments: AppointmentCalls = {
  list: () => call('GET /web/appointments'),
  choice: (device) => call('GET /web/appointments/:device', { params: { device } }),
  open: (body) => call('POST /web/appointments', { body }),
  end: (uuid) => call('POST /web/appointments/:uuid/end', { params: { uuid } }),
};

/** `id`: the guardian's. */
const guardianAppointments = (id: string): AppointmentCalls => ({
  list: () => call('GET /guardian/:id/appointments', { params: { id } }),
  choice: (device) => call('GET /guardian/:id/appointments/:device', { params: { id, device } }),
  open: (body) => call('POST /guardian/:id/appointments', { params: { id }, body }),
  end: (uuid) => call('POST /guardian/:id/appointments/:uuid/end', { params: { id, uuid } }),
});

const listeners = new Set<() => void>();
/** Called after an appointment was opened or ended here. Returns the end of it. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** `guardian`: their id; null for the holder. */
export function appointmentCalls(guardian: string | null): AppointmentCalls {
  const calls = guardian === null ? holderAppointments : guardianAppointments(guardian);
  const andNotify = async (done: Promise<unknown>) => {
    await done;
    for (const listener of listeners) listener();
  };
  return { ...calls, open: (opening) => andNotify(calls.open(opening)), end: (uuid) => andNotify(calls.end(uuid)) };
}
