import { z } from 'zod';
import { fourParts } from './detections.ts';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { category, certainty, emailAddress, idParam, nothing, time, uuid, uuidParam } from './shapes.ts';

/** 3.15 as the holder sees it. */
export const guardian = z.object({ uuid, name: z.string(), email: z.string(), active: z.boolean() });
export type Guardian = z.infer<typeof guardian>;

/** P5.2: all that a guardian ever sees. */
export const guardianView = z.object({
  state: z.enum(['pending', 'active', 'expired']),
  /** The guardian's own name and the first name of the person they look out for. */
  name: z.string(),
  holder_name: z.string(),
  /** Empty until the invitation is accepted. */
  devices: z.array(z.object({ name: z.string(), last_seen: time.nullable(), last_detection: z.string() })),
  alerts: z.array(
    z.object({
      uuid,
      device_name: z.string(),
      name: z.string(),
      category,
      blocked: z.boolean(),
      certainty,
      time,
      times: z.number().int(),
      parts: fourParts,
    }),
  ),
});
export type GuardianView = z.infer<typeof guardianView>;

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
    body: z.object({ name: z.string().trim().min(1).max(limits.guardian_name_max), email: emailAddress }),
    answer: guardian,
    errors: ['guardian_limit', 'guardian_exists', 'email_unverified'],
  },
  'DELETE /web/guardians/:uuid': {
    summary: 'Remove a guardian; their link stops working (7.30)',
    access: 'account',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found'],
  },
  'POST /web/guardians/:uuid/resend': {
    summary: "Send the guardian's link again; older links stop working (7.31, P5.1)",
    access: 'account',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found', 'email_unverified'],
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
});
