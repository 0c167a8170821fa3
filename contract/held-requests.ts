import { z } from 'zod';
import { activityKind } from './activity-log.ts';
import { endpoints } from './endpoint.ts';
import { answerCode, answerErrors, guardianAnswerParams, mayAnswer } from './may-answer.ts';
import { statement, time, uuid, uuidParam } from './shapes.ts';

/** `run`: a program or a pasted command that waits. `open_money`: money sites that rest. `open_site`: a site that is paused. */
export const requestedKind = z.enum([...activityKind.options, 'run', 'open_money', 'open_site']);
export type RequestedKind = z.infer<typeof requestedKind>;

/** What a held request would do. `device`, `what`: empty if there is none. */
export const requestedActivity = z.object({ kind: requestedKind, device: z.string(), what: z.string() });
export type RequestedActivity = z.infer<typeof requestedActivity>;

/**
 * Why a request waits. - `incident`: one is open. - `second_act`: the second weakening act within an hour. - `helped_twice`: a third appointment in a day (P15.1). - `ask_first`: the account asks
 * first. - `first_hour`, `asked`: not a call waits, but a program, which a yes allows. - `waiting`: a start that the agent has suspended.
 */
export const requestCause = z.enum(['incident', 'second_act', 'ask_first', 'helped_twice', 'first_hour', 'asked', 'waiting']);
export type RequestCause = z.infer<typeof requestCause>;

/**
 * A call that would weaken protection, and waits for somebody's yes (P10.1).
 * - `open`: nobody has answered. - `yes`: the call passes until `until`; the server makes it itself within seconds, except where the caller needs its
 *   answer. - `no`: it is refused until `until`.
 * - `done`: the call passed. - `impossible`: after the yes it no longer fitted, and `because` says why. - `undone`: a later no took it back. - `lapsed`: it ended and changed nothing: nobody answered in time, or what
 *   was let through was not done in time, or the time of a no is over. - `free`: nothing of the account waits any more, so the call passes
 *   when it is made again.
 */
export const heldRequest = z.object({
  uuid,
  /** Null: it waits because the account asks first (P10.3). */
  incident: uuid.nullable(),
  state: z.enum(['open', 'yes', 'no', 'done', 'undone', 'impossible', 'lapsed', 'free']),
  /** What the call would do, a sentence each: `Ann wants to allow AnyDesk on Den PC.` */
  wants: z.array(z.string()).min(1),
  activities: z.array(requestedActivity).min(1),
  /** The holder's first name; `You` for the holder. */
  who: z.string(),
  cause: requestCause,
  /** After how long the same call passes without an answer. */
  rule: z.enum(['hour', 'day']),
  device: uuid.nullable(),
  device_name: z.string().nullable(),
  time,
  until: time,
  /** When the same call passes without an answer, with the password (P10.2). */
  passes: time,
  answers: z.array(statement.extend({ answer: z.enum(['yes', 'no']) })),
  /** When support let it through; null if it did not. */
  lifted: time.nullable(),
  /** While it waits: the first names of the guardians whose yes counts now. `unproven`: there are guardians, and nobody's counts yet (P10.2). */
  asked: z.array(z.string()),
  unproven: z.boolean(),
  /** Why the call waits, a sentence for people. */
  because: z.string(),
  /** While somebody may answer: whether the server makes the call itself after a yes. */
  by_server: z.boolean(),
  /** Whether a yes can allow the program from now on, as it was allowed, and not for an hour only (P15.2). */
  may_last: z.boolean(),
  mine: mayAnswer,
});
export type HeldRequest = z.infer<typeof heldRequest>;

/** `lasts`: of a yes, where `may_last` says so. */
const requestAnswer = z.object({ answer: z.enum(['yes', 'no']), lasts: z.enum(['hour', 'always']).default('hour'), code: answerCode });

/**
 * Why a further weakening change would wait (P15.10). `second_act`: so it would unless it repeats what was done within the
 * hour. `asked`: the first names of who is asked, without whom it waits as long as `rule` says. `except`: devices where the password is enough.
 */
const nextChange = z.object({
  cause: z.enum(['incident', 'ask_first', 'second_act']),
  rule: z.enum(['hour', 'day']),
  asked: z.array(z.string()),
  except: z.array(uuid),
});
export type NextChange = z.infer<typeof nextChange>;

/** What weakens protection waits for a yes, always (P10.3). */
const holding = z.object({ ask_first: z.boolean() });
export type Holding = z.infer<typeof holding>;

export const heldRequestEndpoints = endpoints({
  'GET /web/requests': {
    summary:
      'What waits for an answer, and what was answered or ended within the last hour, the newest first (P15.8), and whether a further change would wait (P15.10)',
    access: 'account',
    answer: z.object({ items: z.array(heldRequest), next_change: nextChange.nullable() }),
    errors: [],
  },
  'GET /web/requests/:uuid': {
    summary: 'A call that waits for a yes; the screen that waits polls it (P10.1)',
    access: 'account',
    params: uuidParam,
    answer: heldRequest,
    errors: ['not_found'],
  },
  'POST /web/requests/:uuid': {
    summary: 'The holder’s yes or no, for somebody else’s computer; a no is always possible (P10.2)',
    access: 'account',
    params: uuidParam,
    body: requestAnswer,
    answer: heldRequest,
    errors: [...answerErrors, 'request_closed', 'exception_limit'],
  },
  'POST /guardian/:id/requests/:uuid': {
    summary: 'A guardian’s yes or no (P10.2)',
    access: 'guardian',
    params: guardianAnswerParams,
    body: requestAnswer,
    answer: heldRequest,
    errors: [...answerErrors, 'guardian_inactive', 'request_closed', 'exception_limit'],
  },
  'GET /web/holding': { summary: 'Whether the account asks first (P10.3)', access: 'account', answer: holding, errors: [] },
  'PATCH /web/holding': {
    summary: 'Ask first, always; switching it off weakens protection (P10.3)',
    access: 'account',
    body: holding,
    answer: holding,
    errors: ['held', 'hold_limit'],
  },
});
