import { z } from 'zod';
import { agentLimitation, deviceOutage } from './device-health.ts';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { policyId } from './policies.ts';
import { idParam, nameOfThing, nameOrNothing, nothing, time, uuid, uuidParam } from './shapes.ts';

/** Who uses a computer (P8.1). Empty: unknown. With `is_holder` the other fields mean nothing. */
export const person = z.object({
  name: z.string(),
  /** E.164 or empty. */
  phone_number: z.string(),
  is_holder: z.boolean(),
});
export type Person = z.infer<typeof person>;

/** The name appears in emails to people who did not type it; a phone number may have any usual format (5.17). */
export const newPerson = z.object({
  name: nameOrNothing.default(''),
  phone_number: z.string().trim().max(limits.phone_input_max).default(''),
  is_holder: z.boolean(),
});
export type NewPerson = z.infer<typeof newPerson>;

/** 3.2 */
export const device = z.object({
  uuid,
  name: z.string(),
  /** Empty until the agent is installed. */
  info: z.object({ name: z.string() }),
  /** Null until the agent's first report. */
  last_seen: time.nullable(),
  /** `zero_time` means none. */
  last_detection: z.string(),
  /** Only while not installed (4.12). */
  login_code: z.string().optional(),
  login_code_expires: time.optional(),
  policy: policyId,
  /** Why it does not report or protect; null if it does. */
  outage: deviceOutage.nullable(),
  /** As the agent reported last. Omitted if it can do everything. */
  limitations: z.array(agentLimitation).optional(),
  /** Until then at least strict applies, because the computer changed hands (P10.8). */
  strict_until: time.optional(),
  /** When the computer leaves the account (P10.8). */
  leaves: time.optional(),
  /** Null: not answered, and treated as the holder's own. */
  person: person.nullable(),
});
export type Device = z.infer<typeof device>;

/** 3.6, with the uuid so that a screen can wait for this device. */
export const createdDevice = z.object({ uuid, login_code: z.string(), link_uri: z.string(), link_uri_signature: z.string() });
export type CreatedDevice = z.infer<typeof createdDevice>;

/** P1.6, for the share screen and typed codes. */
export const deviceCodeResult = z.object({
  link_uri: z.string(),
  link_uri_signature: z.string(),
  device_name: z.string(),
  from_name: z.string(),
  expires: time,
});
export type DeviceCodeResult = z.infer<typeof deviceCodeResult>;

/** P1.6: the `signup_code` of `/register`. */
export const signupCodeResult = z.object({ signup_code_id: uuid });

export const deviceName = nameOfThing(limits.name_max);

/** 128 random bits, made by the page. */
export const draftId = z.string().regex(/^[0-9a-f]{32}$/);

export const deviceEndpoints = endpoints({
  'GET /web/devices': {
    summary: 'All devices of the account (7.9)',
    access: 'member',
    answer: z.object({ devices: z.array(device) }),
    errors: [],
  },
  'GET /web/devices/:id': {
    summary: 'One device (7.10)',
    access: 'member',
    params: idParam,
    answer: device,
    errors: ['not_found'],
  },
  'POST /web/devices/:uuid': {
    summary: 'Rename a device, choose its protection profile (7.11), or say who uses it (P8.1). A person that is left out stays as it is',
    access: 'member',
    params: uuidParam,
    body: z.object({ name: deviceName, policy: policyId, person: newPerson.nullable().optional() }),
    answer: device,
    errors: ['not_found', 'held', 'hold_limit'],
  },
  'DELETE /web/devices/:uuid': {
    summary: 'Remove a device and its alerts; its agent hears 410 (7.12, P3.6)',
    access: 'member',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found', 'held', 'hold_limit'],
  },
  'POST /web/create-device': {
    summary:
      'Add a device: a code and a signed link (7.14). The same draft sent again is the same device, called and given what was said last',
    access: 'member',
    body: z.object({
      name: deviceName,
      policy: policyId.nullable().default(null),
      draft: draftId.optional(),
      person: newPerson.nullable().optional(),
    }),
    answer: createdDevice,
    errors: ['device_limit', 'device_installed', 'not_found'],
  },
  'POST /web/devices/:uuid/resume': {
    summary:
      'End the pause of a device from afar: its agent protects again as soon as it can be reached. It only strengthens, so also without a plan',
    access: 'account',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found'],
  },
  'POST /web/devices/:uuid/code': {
    summary: 'A new code for a device that is not installed yet; the old one stops working (P3.1)',
    access: 'member',
    params: uuidParam,
    answer: createdDevice,
    errors: ['not_found', 'device_installed'],
  },
  'POST /code': {
    summary: 'What a device code or a sign-up code is for; looking never uses it up (7.4, P1.6)',
    access: 'public',
    body: z.object({ code: z.string().min(1).max(40) }),
    answer: z.union([deviceCodeResult, signupCodeResult]),
    errors: ['code_wait', 'code_unknown', 'code_used', 'code_expired'],
  },
  'POST /code/ask': {
    summary:
      'Asks the holder for a new code in the place of one that has expired: one email a day for each code. Of a code that still works nobody is asked',
    access: 'public',
    body: z.object({ code: z.string().min(1).max(40) }),
    answer: nothing,
    errors: ['code_wait', 'code_unknown', 'code_used'],
  },
});
