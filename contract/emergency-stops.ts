import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { mayAnswer } from './may-answer.ts';
import { idParam, time, uuid } from './shapes.ts';

/**
 * *Stop this* of a guardian, for all devices, and *I need help now*, for one (P9.5, P10.6): everything on the list is stopped, allow lists
 * are suspended, and pauses end. `by`: a first name, or the device's name for somebody at the computer.
 */
export const emergencyStop = z.object({ uuid, by: z.string(), since: time, until: time });
export type EmergencyStop = z.infer<typeof emergencyStop>;

/** *Cut the internet there* (P10.6): the device reaches only our server. `may_end`: whether the user there can end it. */
export const networkIsolation = z.object({ uuid, by: z.string(), until: time, may_end: z.boolean() });
/** As people see it: whether it is in force, and how often it was set again because something had taken it away, as the agent reported last. */
export const shownIsolation = networkIsolation.extend({ in_force: z.boolean(), put_back: z.number().int() });
export type ShownIsolation = z.infer<typeof shownIsolation>;
export type NetworkIsolation = z.infer<typeof networkIsolation>;

export const emergencyLimits = {
  /** How long a guardian's stop lasts, in milliseconds, and one of *I need help now*. */
  guardian_stop: 24 * 3_600_000,
  help_stop: 3_600_000,
  /** Minutes. */
  isolation_minutes_max: 15,
  /** Isolations of a device in 24 hours. */
  isolations_per_day: 2,
  /** In milliseconds: a guardian whose press alone opened an incident cannot press again for so long, without a new detection. */
  press_again_after: 72 * 3_600_000,
} as const;

/**
 * Why a guardian may not press. - `alone`: their press opened an incident, and nothing was found since. - `not_allowed`: by the holder, on this
 * device. - `cut_twice`: within a day.
 */
export const pressRefusal = z.object({
  reason: z.enum(['alone', 'not_allowed', 'cut_twice']),
  /** The holder's first name, and the device; empty where the sentence names none. */
  holder: z.string(),
  device: z.string(),
  /** When the press was, of `alone`. */
  pressed: time.nullable(),
  /** When they may press again. */
  again: time.nullable(),
});
export type PressRefusal = z.infer<typeof pressRefusal>;

/** Whether the reader may press a button. `why`: the sentence about the rest. */
export const mayPress = z.discriminatedUnion('may', [
  z.object({ may: z.literal('yes') }),
  pressRefusal.extend({ may: z.literal('no'), why: z.string() }),
]);
export type MayPress = z.infer<typeof mayPress>;

/** What a guardian can do at once. Apart from the guardian's view, so that the holder's preview never carries it (P9.3). */
export const guardianEmergency = z.object({
  /** Of the whole account. */
  emergency_stop: emergencyStop.nullable(),
  may_stop: mayPress,
  devices: z.array(
    z.object({
      uuid,
      name: z.string(),
      isolation: shownIsolation.nullable(),
      may_isolate: mayPress,
      may_code: mayAnswer,
      /** What was stopped there within 7 days and a code can allow, newest first. */
      programs: z.array(z.object({ identifier: z.string(), name: z.string() })),
    }),
  ),
});
export type GuardianEmergency = z.infer<typeof guardianEmergency>;

export const emergencyEndpoints = endpoints({
  'GET /guardian/:id/emergency': {
    summary: 'What a guardian can do at once: stop everything, cut the internet there, open a code (P10.6, P10.7)',
    access: 'guardian',
    params: idParam,
    answer: guardianEmergency,
    errors: ['guardian_inactive'],
  },
  'POST /guardian/:id/stop': {
    summary: '*Stop this*; with `minutes_offline` also *Cut the internet there*, at `device` or at the devices of open incidents (P10.6)',
    access: 'guardian',
    params: idParam,
    body: z.object({
      minutes_offline: z.number().int().min(1).max(emergencyLimits.isolation_minutes_max).optional(),
      device: uuid.optional(),
    }),
    answer: guardianEmergency,
    errors: ['guardian_inactive', 'may_not_answer', 'not_found'],
  },
  'GET /web/emergency': {
    summary: 'The emergency stops and network isolations in force, for the holder',
    access: 'confirmed',
    answer: z.object({
      /** `device`: null for all devices. */
      stops: z.array(emergencyStop.extend({ device: z.object({ uuid, name: z.string() }).nullable() })),
      isolations: z.array(shownIsolation.extend({ device: z.object({ uuid, name: z.string() }) })),
    }),
    errors: [],
  },
  'POST /web/help': {
    summary:
      '*I need help now*: opens an incident, ends what is on the remote-control list even where it is allowed, and notifies everyone (P9.5)',
    access: 'confirmed',
    body: z.object({ device: uuid }),
    answer: z.object({ incident: uuid }),
    errors: ['not_found'],
  },
});
