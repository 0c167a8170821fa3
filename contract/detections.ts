import { z } from 'zod';
import { told } from './alerts.ts';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { category, certainty, idParam, time, uuid, uuidParam } from './shapes.ts';

/** The four parts of an alert's text, the same on the screen, in email and on the calm screen. Plain text. */
export const fourParts = z.object({
  what_happened: z.string(),
  what_we_did: z.string(),
  is_it_over: z.string(),
  what_to_do: z.string(),
});
export type FourParts = z.infer<typeof fourParts>;

/** Somebody's answer to an alert. `mine`: they started the program themselves. `sorted`: it is dealt with. Either calms it for everyone. */
export const alertAnswer = z.object({
  answer: z.enum(['mine', 'sorted']),
  /** First name of the holder or the guardian's name. */
  by: z.string(),
  /** The reader's own answer. */
  you: z.boolean(),
  time,
});
export type AlertAnswer = z.infer<typeof alertAnswer>;

/** 3.12, and what the alert history needs. Repeats within ten minutes are counted into the first one (P5.3). */
export const detection = z.object({
  uuid,
  device_id: uuid,
  device_name: z.string(),
  info: z.object({
    time,
    name: z.string(),
    identifier: z.string(),
    category,
    /** What was seen, for someone who wants to know more: the file, never what was typed or visited. */
    details: z.string(),
    blocked: z.boolean(),
    certainty,
    /** A site was asked for, and no program started. */
    site: z.boolean(),
    /** How often within the alert, and the last time. */
    times: z.number().int().positive(),
    last_time: time,
  }),
  helptext: z.object({ name: z.string(), warning_markdown: z.string() }),
  parts: fourParts,
  /** Who was notified and whether it arrived; for the holder only, who comes first. */
  told: z.array(told).optional(),
  /** The guardians who pressed *I'm on it*, and when; for the holder only (P5.2). */
  seen: z.array(z.object({ name: z.string(), time })).optional(),
  /** The newest first. */
  answers: z.array(alertAnswer),
  /** The holder reported to the operator that this should not have been an alert (P9.6). */
  wrong: z.boolean(),
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
      /** Whether there are more behind these. */
      older: z.boolean(),
      /** The newest of the last 24 hours that was not blocked, with the first page of all devices; absent when it is among `items`, or there is none. */
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
