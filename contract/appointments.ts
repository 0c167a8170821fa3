import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { answerCode, answerErrors, mayAnswer } from './may-answer.ts';
import { idParam, nothing, time, uuid } from './shapes.ts';

/**
 * *I'm helping now* (P15.1): one remote-control program runs on one device for a time, without an alarm. Only what matches certainly (P4.2)
 * runs, and whatever opens an incident ends the appointment.
 */

/** `by`: the first name of who helps. The length is `until` minus the time when the policy was issued, by the server's clock alone. */
export const policyAppointment = z.object({
  uuid,
  identifier: z.string(),
  program: z.string(),
  by: z.string(),
  until: time,
  /** Money pages stay open while the program runs (P12.6). */
  money_pages: z.boolean(),
});
export type PolicyAppointment = z.infer<typeof policyAppointment>;

/** What agents report of an end. `danger`: something that opens an incident. `time`: it was over. `user`: somebody at the computer. */
export const appointmentEnd = z.enum(['danger', 'time', 'user']);
export type AppointmentEnd = z.infer<typeof appointmentEnd>;

/** An appointment that runs. */
export const appointment = policyAppointment.omit({ identifier: true }).extend({ device: z.object({ uuid, name: z.string() }) });
export type Appointment = z.infer<typeof appointment>;

/** `devices`: where one can be opened. */
const appointmentList = z.object({ items: z.array(appointment), devices: z.array(z.object({ uuid, name: z.string() })) });
export type AppointmentList = z.infer<typeof appointmentList>;

/** What the reader can open at a device. */
export const appointmentChoice = z.object({
  /** A guardian needs a code, wherever they are. */
  may: mayAnswer,
  /** The longest, in minutes. */
  minutes_max: z.number().int(),
  /** A longer one waits for a yes; a guardian cannot open it. In minutes; 0 after the day's last. */
  minutes_free: z.number().int(),
  /** Whether *Money pages may open* is offered: not while an incident is open. */
  offers_money: z.boolean(),
});
export type AppointmentChoice = z.infer<typeof appointmentChoice>;

const opening = z.object({
  device: uuid,
  /** The program's definition. */
  identifier: z.string().min(1).max(300),
  minutes: z.union([z.literal(15), z.literal(30), z.literal(60), z.literal(120)]),
  money_pages: z.boolean(),
  code: answerCode,
});
export type AppointmentMinutes = z.infer<typeof opening>['minutes'];
const openingErrors = [...answerErrors, 'appointment_running', 'appointment_limit', 'appointment_stopped'] as const;

export const appointmentEndpoints = endpoints({
  'GET /web/appointments': {
    summary: 'Who helps on which device now (P15.1)',
    access: 'account',
    answer: appointmentList,
    errors: [],
  },
  'GET /web/appointments/:device': {
    summary: 'What the holder can open on a device (P15.1)',
    access: 'account',
    params: z.object({ device: uuid }),
    answer: appointmentChoice,
    errors: ['not_found'],
  },
  'POST /web/appointments': {
    summary: '*I’m helping now* of the holder, on a computer that somebody else uses (P15.1)',
    access: 'member',
    body: opening,
    answer: nothing,
    errors: [...openingErrors, 'held', 'hold_limit'],
  },
  'POST /web/appointments/:uuid/end': {
    summary: '*End it now* (P15.1)',
    access: 'account',
    params: z.object({ uuid }),
    answer: nothing,
    errors: ['not_found'],
  },
  'GET /guardian/:id/appointments': {
    summary: 'Who helps on which device now, to a guardian (P15.1)',
    access: 'guardian',
    params: idParam,
    answer: appointmentList,
    errors: ['guardian_inactive'],
  },
  'GET /guardian/:id/appointments/:device': {
    summary: 'What a guardian can open on a device (P15.1)',
    access: 'guardian',
    params: z.object({ id: uuid, device: uuid }),
    answer: appointmentChoice,
    errors: ['guardian_inactive', 'not_found'],
  },
  'POST /guardian/:id/appointments': {
    summary: '*I’m helping now* of a guardian (P15.1)',
    access: 'guardian',
    params: idParam,
    body: opening,
    answer: nothing,
    errors: ['guardian_inactive', ...openingErrors],
  },
  'POST /guardian/:id/appointments/:uuid/end': {
    summary: '*End it now* of a guardian (P15.1)',
    access: 'guardian',
    params: z.object({ id: uuid, uuid }),
    answer: nothing,
    errors: ['guardian_inactive', 'not_found'],
  },
});
