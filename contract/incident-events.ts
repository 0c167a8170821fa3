import { z } from 'zod';
import { activityFacts } from './activity-log.ts';
import { requestedActivity } from './held-requests.ts';
import { type DetectionCategory, detectionCategory, time, uuid } from './shapes.ts';
import { day } from './time.ts';

/**
 * What opens or prolongs an incident (P9.1).
 * - `started`: a remote-control program that the profile blocks. - `allowed_started`: a program that was allowed within the last 24 hours.
 * - `weaker_started`: a program within 24 hours of a weaker profile. - `pin_locked`: wrong PINs locked the agent.
 * - `asked`: *I asked for this*. - `second_act`: the second different weakening act within an hour.
 * - `pasted_command`: a command that fetches and runs something was pasted (P12.4).
 * - `door`: a way in was opened, such as Remote Desktop (P15.9). - `help`: *I need help now* (P9.5). - `guardian_stop`: a guardian’s *Stop this* (P10.6).
 */
export const incidentOpener = z.enum([
  'started',
  'allowed_started',
  'weaker_started',
  'pin_locked',
  'asked',
  'second_act',
  'pasted_command',
  'door',
  'help',
  'guardian_stop',
]);
export type IncidentOpener = z.infer<typeof incidentOpener>;

/** What may open an incident when an agent finds it, unless it is a site (P9.1, P12.4, P15.9). */
export const opening_categories: ReadonlySet<DetectionCategory> = new Set(['RemoteControl', 'PastedCommand', 'Door']);

/** How long after an allow-list entry or a weaker profile a start opens an incident (P9.1). */
export const suspicious_after = day;

/** *How did it go?*, the day after (P9.2). */
export const howItWent = z.enum(['fine', 'helped', 'lost_money']);
export type HowItWent = z.infer<typeof howItWent>;

/**
 * What became of a call. - `queued`: not accepted by the telephone service. - `ringing`: accepted. - `answered`: somebody picked up. - `pressed`:
 * they pressed 1. - `machine`: voicemail did. - `completed`: after `answered`. - `failed`: it could not be made.
 */
export const callResult = z.enum(['queued', 'ringing', 'answered', 'pressed', 'machine', 'completed', 'busy', 'no_answer', 'failed']);
export type CallResult = z.infer<typeof callResult>;

/** Who did it: a first name, or the device's name for somebody at the computer. */
const name = z.string();

/** What a line of an incident's time line is about. */
export const eventFacts = z.discriminatedUnion('event', [
  z.object({ event: z.literal('opened'), opener: incidentOpener, what: z.string().nullable(), device: z.string() }),
  z.object({
    event: z.literal('detection'),
    /** What was found. */
    name: z.string(),
    category: detectionCategory,
    blocked: z.boolean(),
    site: z.boolean(),
    times: z.number().int().positive(),
  }),
  activityFacts.extend({ event: z.literal('activity') }),
  /**
   * A held request. `passed`: done with the password alone. `done_lifted`: done after support let it through. `impossible`: it no longer fitted after
   * the yes.
   */
  z.object({
    event: z.enum(['requested', 'passed', 'done', 'impossible', 'undone', 'lifted', 'done_lifted']),
    who: name,
    activities: z.array(requestedActivity),
  }),
  z.object({ event: z.literal('answer'), name, answer: z.enum(['yes', 'no']) }),
  z.object({ event: z.literal('how'), name, how: howItWent }),
  z.object({
    event: z.enum([
      ...(['on_it', 'account_on_it', 'mine'] as const),
      ...(['stop', 'isolated', 'isolation_lost', 'isolation_back', 'reconnected', 'code_shown'] as const),
    ]),
    name,
  }),
  /** `stopped_allowing`: the programs and websites that the same press took off the allow lists. */
  z.object({ event: z.enum(['over', 'over_asked']), name, stopped_allowing: z.array(z.string()) }),
  /** `result`: null if it was forgotten. */
  z.object({ event: z.enum(['call', 'person_call']), name, result: callResult.nullable() }),
  /** `unanswered`: everyone was tried. `ended`: by itself. */
  z.object({ event: z.enum(['second_messages', 'unanswered', 'ended']) }),
]);
export type EventFacts = z.infer<typeof eventFacts>;

/** One line of an incident's time line. `kind` chooses the icon; `words` is the sentence about `facts`. */
export const incidentEvent = z.object({
  time,
  kind: z.enum(['opened', 'detection', 'activity', 'request', 'answer', 'outage', 'step', 'reached', 'over', 'reopened']),
  facts: eventFacts,
  words: z.string(),
  /** Of a detection: the alert. */
  alert: uuid.nullable().default(null),
});
export type IncidentEvent = z.infer<typeof incidentEvent>;
