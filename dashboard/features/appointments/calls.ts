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

/** `guardian`: their id; null for the holder. */
export const appointmentCalls = (guardian: string | null): AppointmentCalls =>
  guardian === null ? holderAppointments : guardianAppointments(guardian);
