import { z } from 'zod';
import { notificationDelivery } from './alerts.ts';
import { person } from './devices.ts';
import { endpoints } from './endpoint.ts';
import { heldRequest } from './held-requests.ts';
import { howItWent, incidentEvent, incidentOpener } from './incident-events.ts';
import { answerCode, answerErrors, guardianAnswerParams, mayAnswer } from './may-answer.ts';
import { statement, time, uuid, uuidParam } from './shapes.ts';

/** `watched`: over for less than 7 days, so that an opener opens it again (P9.2). */
export const incidentState = z.enum(['open', 'watched', 'over']);
export type IncidentState = z.infer<typeof incidentState>;

/** What to do now; everyone shares the ticks (P9.3), except the holder's about an own computer (P18.2). */
export const incidentStep = z.enum(['hang_up', 'screen_off', 'call_bank', 'check_programs', 'change_passwords', 'report']);
export type IncidentStep = z.infer<typeof incidentStep>;

/**
 * How an incident with remote control escalates until somebody answers (P11.1).
 * - `running`: nobody has answered. - `answered`: somebody who may has. - `ended`: all steps are done, and nobody has answered.
 */
export const escalationState = z.enum(['running', 'answered', 'ended']);

/** `name`: whom we call; empty for the messages to all. */
const escalationStep = z.object({ step: z.enum(['second_messages', 'call', 'person_call']), name: z.string() });

/** `next`: what happens then, such as `we call Bob`; null when nothing is left, or while the last call rings. */
export const escalationView = z.object({
  state: escalationState,
  next: escalationStep.extend({ words: z.string(), time }).nullable(),
});
export type EscalationView = z.infer<typeof escalationView>;

/**
 * What a notification of an incident is about. - `alert`: what was found. - `unanswered`: nobody had answered yet (P11.1). - `change`: something
 * that weakens protection. - `question`: a held request. - `stop`: *Stop this*. - `help`: *I need help now*.
 */
export const incidentNotice = z.enum(['alert', 'unanswered', 'change', 'question', 'stop', 'help']);
export type IncidentNotice = z.infer<typeof incidentNotice>;

/** One notification about an incident, by one channel. A guardian reads first names, and no reason. */
export const incidentDelivery = notificationDelivery.extend({
  /** The recipient's own name, also where `name` is `You`. */
  recipient: z.string(),
  /** Whether the reader is the recipient. */
  you: z.boolean(),
  about: incidentNotice,
});
export type IncidentDelivery = z.infer<typeof incidentDelivery>;

const incidentHead = z.object({
  uuid,
  device: z.object({ uuid, name: z.string(), person: person.nullable() }),
  state: incidentState,
  opened: time,
  opener: incidentOpener,
  /** The name of the program that opened it, or of the guardian. */
  what: z.string().nullable(),
  /** The sentence about `opener`, `what` and the device: `AnyDesk was started on Den PC.` */
  words: z.string(),
  /** When it ends by itself if nothing more happens, or when it ended. */
  ends: time,
});

/** A program or website that is allowed once the incident is over (P15.4). */
export const allowedAfter = z.object({
  /** The id of the allow-list entry, or of the appointment. */
  id: uuid,
  name: z.string(),
  /** Another computer, where *Stop this* suspended it too; null: the incident’s own. */
  device: z.string().nullable(),
  /** Null: until it is removed. */
  until: time.nullable(),
  /** It was started, and stays off until somebody says yes (P15.2). */
  waits: z.boolean(),
  /** Allowed in the incident, or within 24 hours before. */
  recent: z.boolean(),
});
export type AllowedAfter = z.infer<typeof allowedAfter>;
/** Entries of `allowedAfter` in an answer and in a call; recent ones come first. */
export const allowed_after_max = 200;

/** An incident as its list shows it. */
export const incidentSummary = incidentHead;
export type IncidentSummary = z.infer<typeof incidentSummary>;

/** The incident's page (P9.3), for the holder and the guardians alike. */
export const incident = incidentHead.extend({
  /** Who ended it; null while open, and if it ended without an answer. */
  over_by: statement.nullable(),
  on_it: z.array(statement),
  /** The holder's *I’m on it* about an own computer: a stranger with the session can press it too (P18.2). */
  account_on_it: statement.nullable(),
  /** Whether the reader's ticks and *I’m on it* are the family's. False: they are shown as from the account. */
  reader_counts: z.boolean(),
  /** The holder’s *It was me*, which ends nothing. */
  was_me: statement.nullable(),
  /** `from_account`: the holder's tick about an own computer, which ticks nothing for the family. */
  steps: z.array(z.object({ step: incidentStep, done: statement.nullable(), from_account: statement.nullable() })),
  events: z.array(incidentEvent),
  /** The notifications about it, one for each person, channel and notice; of alerts and of changes only the first that arrived. */
  notified: z.array(incidentDelivery),
  requests: z.array(heldRequest),
  /** Null: without remote control nothing escalates. */
  escalation: escalationView.nullable(),
  /** The name of what was stopped and can be allowed for an hour; null if there is none. */
  stopped: z.string().nullable(),
  may_end: mayAnswer,
  /** Only while it is open, for a reader who may end it. */
  allowed_after: z.array(allowedAfter),
  may_allow: mayAnswer,
  /** Whether *How did it go?* waits for an answer (P9.2). */
  asks_how: z.boolean(),
});
export type Incident = z.infer<typeof incident>;

/** `stop_allowing`: the ids of what *It’s over* takes off the allow lists; what is gone already is no error. */
const answerFields = { code: answerCode, stop_allowing: z.array(uuid).max(allowed_after_max).default([]) };

export const stepTick = z.object({ step: incidentStep, done: z.boolean() });

export const incidentEndpoints = endpoints({
  'GET /web/incidents': {
    summary: 'The incidents of the account, the newest first (P10.2)',
    access: 'confirmed',
    query: z.object({
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
      length: z.coerce.number().int().min(1).max(100).default(25),
    }),
    answer: z.object({ items: z.array(incidentSummary), older: z.boolean() }),
    errors: [],
  },
  'GET /web/incidents/:uuid': {
    summary: 'One incident (P9.3)',
    access: 'confirmed',
    params: uuidParam,
    answer: incident,
    errors: ['not_found'],
  },
  'POST /web/incidents/:uuid': {
    summary:
      '*It was me* (which informs, and ends nothing), *I’m on it*, *It’s over*, or *Allow for an hour* what this incident stopped (P10.2)',
    access: 'confirmed',
    params: uuidParam,
    body: z.object({ answer: z.enum(['mine', 'on_it', 'over', 'allow_hour']), ...answerFields }),
    answer: incident,
    errors: [...answerErrors, 'already_allowed', 'exception_limit'],
  },
  'POST /web/incidents/:uuid/steps': {
    summary: 'Tick a step of what to do now, or take the tick back; everyone shares the ticks (P9.3)',
    access: 'confirmed',
    params: uuidParam,
    body: stepTick,
    answer: incident,
    errors: ['not_found'],
  },
  'POST /web/incidents/:uuid/how': {
    summary: 'How it went, asked once, the day after (P9.2)',
    access: 'confirmed',
    params: uuidParam,
    body: z.object({ how: howItWent }),
    answer: incident,
    errors: ['not_found'],
  },
  'GET /guardian/:id/incidents/:uuid': {
    summary: 'One incident, as a guardian sees it (P9.3)',
    access: 'guardian',
    params: guardianAnswerParams,
    answer: incident,
    errors: ['guardian_inactive', 'not_found'],
  },
  'POST /guardian/:id/incidents/:uuid': {
    summary: '*I’m on it*, *It’s over*, or *Allow for an hour*; the last two under P10.2',
    access: 'guardian',
    params: guardianAnswerParams,
    body: z.object({ answer: z.enum(['on_it', 'over', 'allow_hour']), ...answerFields }),
    answer: incident,
    errors: [...answerErrors, 'guardian_inactive', 'already_allowed', 'exception_limit'],
  },
  'POST /guardian/:id/incidents/:uuid/steps': {
    summary: 'Tick a step of what to do now, or take the tick back (P9.3)',
    access: 'guardian',
    params: guardianAnswerParams,
    body: stepTick,
    answer: incident,
    errors: ['guardian_inactive', 'not_found'],
  },
  'POST /guardian/:id/incidents/:uuid/how': {
    summary: 'How it went, asked once, the day after (P9.2)',
    access: 'guardian',
    params: guardianAnswerParams,
    body: z.object({ how: howItWent }),
    answer: incident,
    errors: ['guardian_inactive', 'not_found'],
  },
});
