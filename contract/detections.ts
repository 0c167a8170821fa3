import { z } from 'zod';
import { notificationDelivery } from './alerts.ts';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { certainty, detectionCategory, idParam, time, uuid, uuidParam } from './shapes.ts';

/** An alert's sections, in plain text. */
export const fourParts = z.object({
  what_happened: z.string(),
  what_we_did: z.string(),
  is_it_over: z.string(),
  what_to_do: z.string(),
});
export type FourParts = z.infer<typeof fourParts>;

/** A person's answer to an alert. `mine`: they started the program. `sorted`: the alert is dealt with. Any answer calms the alert. */
export const alertAnswer = z.object({
  answer: z.enum(['mine', 'sorted']),
  /** The holder's first name, or the guardian's name. */
  by: z.string(),
  you: z.boolean(),
  time,
});
export type AlertAnswer = z.infer<typeof alertAnswer>;

/** 3.12. Repeats within ten minutes count towards the first detection (P5.3). */
export const detection = z.object({
  uuid,
  device_id: uuid,
  device_name: z.string(),
  info: z.object({
    time,
    name: z.string(),
    identifier: z.string(),
    category: detectionCategory,
    /** The program's file; never what was typed or visited. */
    details: z.string(),
    blocked: z.boolean(),
    certainty,
    /** True for a visited site, false for a started program. */
    site: z.boolean(),
    times: z.number().int().positive(),
    last_time: time,
    /** Nobody was on the line, so it only emailed people (P15.9): by itself, or together with others. Omitted for every other alert. */
    quiet: z.enum(['alone', 'together']).optional(),
  }),
  helptext: z.object({ name: z.string(), warning_markdown: z.string() }),
  explanation: fourParts,
  /** Only the holder sees the notifications. */
  notified: z.array(notificationDelivery).optional(),
  /** The guardians who pressed *I'm on it*; only for the holder (P5.2). */
  seen: z.array(z.object({ name: z.string(), time })).optional(),
  /** Newest answer first. */
  answers: z.array(alertAnswer),
  /** Whether the holder reported this as a false alarm (P9.6). */
  wrong: z.boolean(),
  /** The incident that it belongs to; omitted without one. */
  incident: uuid.optional(),
});
export type Detection = z.infer<typeof detection>;

export const detectionEndpoints = endpoints({
  'GET /web/detections': {
    summary: 'Recent alerts, newest first, of one device or of all (7.16)',
    access: 'confirmed',
    query: z.object({
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
      length: z.coerce.number().int().min(1).max(100).default(limits.detections_page),
      device: uuid.optional(),
    }),
    answer: z.object({
      items: z.array(detection),
      older: z.boolean(),
      /** The newest unblocked detection of the last 24 hours; only with the first page of all devices, and omitted if in `items`. */
      unblocked: detection.optional(),
    }),
    errors: ['not_found'],
  },
  'GET /web/detections/:id': {
    summary: 'One alert, to find its device (7.15)',
    access: 'confirmed',
    params: idParam,
    answer: detection,
    errors: ['not_found'],
  },
  'POST /web/detections/:uuid/answer': {
    summary: '*It was me* or *This is sorted*, which everyone sees. The first time counts',
    access: 'confirmed',
    params: uuidParam,
    body: alertAnswer.pick({ answer: true }),
    answer: detection,
    errors: ['not_found'],
  },
  'POST /web/detections/:uuid/wrong': {
    summary: 'Tell the operator that this should not have been an alert (P9.6): what was matched, and nothing about the person',
    access: 'confirmed',
    params: uuidParam,
    answer: detection,
    errors: ['not_found'],
  },
});
