import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { answerRefusal } from './may-answer.ts';
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
  /** The program was started before that, and was stopped; it stays off until somebody says yes (P15.2). */
  waits: z.boolean(),
  /** A no refused it; the entry stays until it is removed. `by`: a first name. */
  refused: z.object({ by: z.string(), time }).nullable(),
});
export type AllowListEntry = z.infer<typeof allowListEntry>;

/** Allowed for an hour, until midnight on the device, or (null) until removed. */
export const allowListDuration = z.enum(['hour', 'today']).nullable();
export type AllowListDuration = z.infer<typeof allowListDuration>;

/** 3.14, with the program's name for people. */
export const allowListProgram = z.object({ identifier: z.string(), category, name: z.string() });
export type AllowListProgram = z.infer<typeof allowListProgram>;

/**
 * What happens when a remote-control program is allowed now (P15.2). - `runs`: it can start at once. - `runs_with_password`: so it can after the
 * password, since the computer is somebody else's and the caller is elsewhere. - `asks`: for an hour its start waits for a yes. - `waits`: allowing
 * it waits itself. - `may_wait`: so it does, unless it repeats the change that was made within the hour.
 */
export const allowingOutlook = z.enum(['runs', 'runs_with_password', 'asks', 'waits', 'may_wait']);
export type AllowingOutlook = z.infer<typeof allowingOutlook>;

export const allowListEndpoints = endpoints({
  'GET /web/devices/:id/v2/exceptions': {
    summary: 'What is allowed on a device although it would be stopped, the newest first (7.25)',
    access: 'member',
    params: idParam,
    /** `suspended`: why nothing of the list is allowed there now. */
    answer: z.object({ items: z.array(allowListEntry), remote_control: allowingOutlook, suspended: answerRefusal.nullable() }),
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
