import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { category, idParam, nothing, time, uuid } from './shapes.ts';

export const allowListEntryType = z.enum(['domain', 'definition']);
export type AllowListEntryType = z.infer<typeof allowListEntryType>;

/** 3.13, with texts for people. */
export const allowListEntry = z.object({
  id: uuid,
  type: allowListEntryType,
  /** A website in lower-case ASCII, or the identifier of a definition. */
  identifier: z.string(),
  /** The website in its own script, or the program's name. */
  name: z.string(),
  added: time,
  /** Null: the entry never expires. */
  until: time.nullable(),
  /** Until then the program is ended when it starts, and the guardians are asked (P9.1); null: it can run. */
  asks_until: time.nullable(),
});
export type AllowListEntry = z.infer<typeof allowListEntry>;

/** Allowed for an hour, until midnight on the device, or (null) until removed. */
export const allowListDuration = z.enum(['hour', 'today']).nullable();
export type AllowListDuration = z.infer<typeof allowListDuration>;

/** 3.14, with the program's name for people. */
export const allowListProgram = z.object({ identifier: z.string(), category, name: z.string() });
export type AllowListProgram = z.infer<typeof allowListProgram>;

export const allowListEndpoints = endpoints({
  'GET /web/devices/:id/v2/exceptions': {
    summary: 'What is allowed on a device although it would be stopped, the newest first (7.25)',
    access: 'member',
    params: idParam,
    answer: z.object({ items: z.array(allowListEntry) }),
    errors: ['not_found'],
  },
  'POST /web/devices/:id/v2/exceptions': {
    summary: 'Allow a website or a program on a device (7.26)',
    access: 'member',
    params: idParam,
    body: z.object({
      type: allowListEntryType,
      identifier: z.string().trim().min(1).max(limits.domain_search_max),
      lasts: allowListDuration.default(null),
    }),
    answer: allowListEntry,
    errors: ['not_found', 'site_shared', 'already_allowed', 'exception_limit', 'held', 'hold_limit'],
  },
  'DELETE /web/devices/:id/v2/exceptions': {
    summary: 'Stop allowing something (7.27)',
    // No plan needed: removing an entry strengthens protection.
    access: 'confirmed',
    params: idParam,
    body: z.object({ id: uuid }),
    answer: nothing,
    errors: ['not_found'],
  },
  'GET /definitions/allowlistable.json': {
    summary: 'The programs that a person may allow (7.24)',
    access: 'public',
    answer: z.array(allowListProgram),
    errors: [],
  },
});
