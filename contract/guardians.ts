import { z } from 'zod';
import { session } from './accounts.ts';
import { trouble } from './alerts.ts';
import { alertAnswer, fourParts } from './detections.ts';
import { agentLimitation, deviceOutage } from './device-health.ts';
import { person } from './devices.ts';
import { endpoints } from './endpoint.ts';
import { heldRequest } from './held-requests.ts';
import { incidentSummary } from './incidents.ts';
import { limits } from './limits.ts';
import { serverLimits } from './server-limits.ts';
import { certainty, detectionCategory, emailAddress, guardianName, idParam, nothing, phoneCode, time, uuid, uuidParam } from './shapes.ts';

/** `expired`: the invitation (P5.1). `declined`: refused the invitation. `left`: was active. Who declined or left can be invited again. */
export const guardianState = z.enum(['pending', 'active', 'expired', 'declined', 'left']);
export type GuardianState = z.infer<typeof guardianState>;

/** A guardian as the holder sees them (3.15), without the phone number, which is private. */
export const guardian = z.object({
  uuid,
  name: z.string(),
  email: z.string(),
  active: z.boolean(),
  state: guardianState,
  mail: z.boolean(),
  /** `on`: a verified number that has not opted out of texts. `unverified`: a number that is not verified yet. */
  texts: z.enum(['off', 'unverified', 'on']),
  last_looked: time.nullable(),
  /** Why a channel does not reach the guardian; null if all do (P5.4). */
  trouble: trouble.nullable(),
  /** Whether no channel reaches an active guardian, or the invitation came back (P11.4). */
  unreachable: z.boolean(),
  /** Whether this guardian may cut the internet; null: only at a computer of someone else than the holder (P10.6). */
  may_isolate: z.boolean().nullable(),
  /** The place in the order of calls, which the holder set; null until then, and of a guardian who was added later (P11.1). */
  position: z.number().int().nullable(),
});
export type Guardian = z.infer<typeof guardian>;

/** P5.2: all that a guardian can see. Unless `state` is `active`, everything but the names and the state is empty, off or null. */
export const guardianView = z.object({
  state: guardianState,
  /** The guardian's full name, and the holder's first name. */
  name: z.string(),
  holder_name: z.string(),
  mail: z.boolean(),
  /** The weekly report, and that of a quiet week (P15.6). */
  weekly: z.boolean(),
  every_week: z.boolean(),
  sms: z.boolean(),
  /** The guardian's own number, in E.164. */
  phone_number: z.string().nullable(),
  phone_number_verified: z.boolean(),
  phone_number_opted_out: z.boolean(),
  /** The number that sends our texts, and receives START. */
  phone_number_host: z.string().nullable(),
  /** False: the holder's account has only the free protection. */
  plan: z.boolean(),
  devices: z.array(
    z.object({
      uuid,
      name: z.string(),
      /**
       * Whether the family knows it (P18.2). `asked`: it was added lately, after this guardian accepted. `unknown_to_you`, `unknown`: this
       * guardian, or another, answered *I don’t know it*.
       */
      known: z.enum(['unasked', 'asked', 'unknown_to_you', 'unknown']),
      last_seen: time.nullable(),
      last_detection: z.string(),
      outage: deviceOutage.nullable(),
      limitations: z.array(agentLimitation).optional(),
      /** The computer's user; null if unknown. */
      person: person.nullable(),
    }),
  ),
  alerts: z.array(
    z.object({
      uuid,
      device_name: z.string(),
      name: z.string(),
      category: detectionCategory,
      blocked: z.boolean(),
      certainty,
      site: z.boolean(),
      time,
      times: z.number().int(),
      /** When this guardian pressed *I'm on it*. */
      seen: time.nullable(),
      /** Newest answer first. */
      answers: z.array(alertAnswer),
      explanation: fourParts,
    }),
  ),
  /** Held requests of the last day, the newest first (P10.2). Empty in the holder's preview. */
  requests: z.array(heldRequest),
  /** Open and watched incidents, the newest first. */
  incidents: z.array(incidentSummary),
});
export type GuardianView = z.infer<typeof guardianView>;

/**
 * Beside a computer of an open incident, leaving and switching a channel off need a code that `POST /guardian/:id/answer-code` texted just
 * now (P10.2).
 */
const code = phoneCode.optional();
const proofErrors = ['may_not_answer', 'code_needed', 'phone_code_wrong', 'phone_code_expired'] as const;

/** Omitted fields do not change. A new number needs verifying; null or empty removes it. */
export const guardianChange = z.object({
  phone_number: z.string().trim().max(limits.phone_input_max).nullable().optional(),
  sms: z.boolean().optional(),
  email: z.boolean().optional(),
  weekly: z.boolean().optional(),
  every_week: z.boolean().optional(),
  code,
});
export type GuardianChange = z.infer<typeof guardianChange>;

export const guardianEndpoints = endpoints({
  'GET /web/guardians': {
    summary: 'The guardians of the account (7.28)',
    access: 'account',
    answer: z.object({ guardians: z.array(guardian) }),
    errors: [],
  },
  'POST /web/create-guardian': {
    summary: 'Name a guardian; an invitation goes out (7.29)',
    access: 'account',
    body: z.object({ name: guardianName, email: emailAddress }),
    answer: guardian,
    errors: ['guardian_limit', 'guardian_exists', 'email_unverified', 'guardians_off', 'held', 'hold_limit'],
  },
  'PUT /web/guardians/order': {
    summary: 'The order in which guardians are called (P11.1). Those who are left out come last, in the order that they had',
    access: 'account',
    body: z.object({
      order: z
        .array(uuid)
        .max(serverLimits.guardians_max)
        .refine((order) => new Set(order).size === order.length),
    }),
    answer: z.object({ guardians: z.array(guardian) }),
    errors: ['not_found', 'held', 'hold_limit'],
  },
  'PATCH /web/guardians/:uuid': {
    summary: 'Whether this guardian may cut the internet (P10.6)',
    access: 'account',
    params: uuidParam,
    // Null restores what was valid until the holder first chose.
    body: z.object({ may_isolate: z.boolean().nullable() }),
    answer: guardian,
    errors: ['not_found', 'held', 'hold_limit'],
  },
  'DELETE /web/guardians/:uuid': {
    summary: 'Remove a guardian; their link stops working (7.30)',
    access: 'account',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found', 'held', 'hold_limit'],
  },
  'POST /web/guardians/:uuid/resend': {
    summary: "Send the guardian's link again; older links stop working (7.31, P5.1)",
    access: 'account',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found', 'email_unverified', 'guardians_off', 'held', 'hold_limit'],
  },
  'POST /guardian/:id/session': {
    summary: "Exchange the key of a guardian's link for a cookie (P1.4)",
    access: 'public',
    params: idParam,
    body: z.object({ key: z.string().min(1).max(200) }),
    answer: nothing,
    errors: ['guardian_link_dead'],
  },
  'GET /guardian/:id': {
    summary: "The guardian's own dashboard (2.16, P5.2)",
    access: 'guardian',
    params: idParam,
    answer: guardianView,
    errors: [],
  },
  'POST /guardian/:id/accept': {
    summary: 'Accept the invitation (4.39)',
    access: 'guardian',
    params: idParam,
    answer: guardianView,
    errors: ['link_expired'],
  },
  'POST /guardian/:id/decline': {
    summary: 'Say no to the invitation; the holder sees it',
    access: 'guardian',
    params: idParam,
    answer: guardianView,
    errors: ['link_expired', 'may_not_answer', 'code_needed'],
  },
  'POST /guardian/:id/leave': {
    summary: 'Stop being a guardian (P5.2, P10.2); the holder gets a mail',
    access: 'guardian',
    params: idParam,
    // Earlier pages send no body.
    body: z.object({ code }).nullish(),
    answer: guardianView,
    errors: ['guardian_inactive', ...proofErrors],
  },
  'PATCH /guardian/:id': {
    summary: 'Change the phone number, switch texts, mails or weekly reports on or off (6.6, P5.2, P10.2)',
    access: 'guardian',
    params: idParam,
    body: guardianChange,
    answer: guardianView,
    errors: ['guardian_inactive', 'phone_country', ...proofErrors],
  },
  'POST /guardian/:id/send-phone-code': {
    summary: "Text a new code to the guardian's phone number (P2.5)",
    access: 'guardian',
    params: idParam,
    answer: nothing,
    errors: ['guardian_inactive', 'phone_missing', 'phone_country', 'phone_codes_spent', 'texts_spent'],
  },
  'POST /guardian/:id/verify-phone': {
    summary: 'Prove with the code that was texted that the phone is at hand (P2.5)',
    access: 'guardian',
    params: idParam,
    body: z.object({ code: phoneCode }),
    answer: guardianView,
    errors: ['guardian_inactive', 'phone_code_wrong', 'phone_code_expired'],
  },
  'POST /guardian/:id/alerts/:uuid/seen': {
    summary: "Say *I'm on it*, which the holder sees (P5.2). The first time counts",
    access: 'guardian',
    params: z.object({ id: uuid, uuid }),
    answer: guardianView,
    errors: ['guardian_inactive', 'not_found'],
  },
  'POST /guardian/:id/alerts/:uuid/answer': {
    summary: 'Say *This is sorted*, which everyone sees. The first time counts',
    access: 'guardian',
    params: z.object({ id: uuid, uuid }),
    body: z.object({ answer: z.literal('sorted') }),
    answer: guardianView,
    errors: ['guardian_inactive', 'not_found'],
  },
  'POST /guardian/:id/devices/:uuid': {
    summary: 'Say *I don’t know it* of a computer, so that it exempts nobody; or take that back (P18.2)',
    access: 'guardian',
    params: z.object({ id: uuid, uuid }),
    body: z.object({ known: z.boolean() }),
    answer: guardianView,
    errors: ['guardian_inactive', 'not_found', 'may_not_answer', 'code_needed'],
  },
  'GET /guardian/:id/sessions': {
    summary: "The browsers in which this guardian's page is open, the last used first",
    access: 'guardian',
    params: idParam,
    answer: z.object({ sessions: z.array(session) }),
    errors: [],
  },
  'DELETE /guardian/:id/sessions/:uuid': {
    summary: 'Close the page in one browser; the link in a mail opens it again',
    access: 'guardian',
    params: z.object({ id: uuid, uuid }),
    answer: nothing,
    errors: ['not_found'],
  },
  'POST /guardian-link': {
    summary: 'A lost link sent again, to whoever is a guardian with this address; the same answer for any address',
    access: 'public',
    body: z.object({ email: emailAddress }),
    answer: nothing,
    errors: [],
  },
  'GET /web/guardians/:uuid/view': {
    summary: 'Exactly what this guardian sees, for the holder; not counted as a look',
    access: 'account',
    params: uuidParam,
    answer: guardianView,
    errors: ['not_found'],
  },
  'GET /web/guardians/:uuid/looks': {
    summary: 'When this guardian opened their page, newest first, the last 100',
    access: 'account',
    params: uuidParam,
    answer: z.object({ looks: z.array(time) }),
    errors: ['not_found'],
  },
});
