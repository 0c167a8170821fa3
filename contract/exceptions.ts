import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { category, idParam, nothing, time, uuid } from './shapes.ts';

export const exceptionType = z.enum(['domain', 'definition']);
export type ExceptionType = z.infer<typeof exceptionType>;

/** 3.13, and what a person reads. */
export const exception = z.object({
  id: uuid,
  type: exceptionType,
  /** A website as lower-case ASCII, or the identifier of a definition. */
  identifier: z.string(),
  /** The website in its own script, or the name of the program. */
  name: z.string(),
  added: time,
  /** When it ends by itself; null: when it is removed. */
  until: time.nullable(),
});
export type Exception = z.infer<typeof exception>;

/** How long something is allowed: an hour, until midnight where the device is, or (null) until it is removed. */
export const exceptionLasts = z.enum(['hour', 'today']).nullable();
export type ExceptionLasts = z.infer<typeof exceptionLasts>;

/** 3.14, with the name that a person knows it by. */
export const allowable = z.object({ identifier: z.string(), category, name: z.string() });
export type Allowable = z.infer<typeof allowable>;

export const exceptionEndpoints = endpoints({
  'GET /web/devices/:id/v2/exceptions': {
    summary: 'What is allowed on a device although it would be stopped, the newest first (7.25)',
    access: 'member',
    params: idParam,
    answer: z.object({ items: z.array(exception) }),
    errors: ['not_found'],
  },
  'POST /web/devices/:id/v2/exceptions': {
    summary: 'Allow a website or a program on a device (7.26)',
    access: 'member',
    params: idParam,
    body: z.object({
      type: exceptionType,
      identifier: z.string().trim().min(1).max(limits.domain_search_max),
      lasts: exceptionLasts.default(null),
    }),
    answer: exception,
    errors: ['not_found', 'already_allowed', 'exception_limit'],
  },
  'DELETE /web/devices/:id/v2/exceptions': {
    summary: 'Stop allowing something (7.27)',
    // What only strengthens protection needs no plan.
    access: 'confirmed',
    params: idParam,
    body: z.object({ id: uuid }),
    answer: nothing,
    errors: ['not_found'],
  },
  'GET /definitions/allowlistable.json': {
    summary: 'The programs that a person may allow (7.24)',
    access: 'public',
    answer: z.array(allowable),
    errors: [],
  },
});
