import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { nothing, time, uuid } from './shapes.ts';

/** The channels by which people are notified. */
export const channel = z.enum(['mail', 'sms']);
export type Channel = z.infer<typeof channel>;

/** `waiting`: queued, or tried in vain and tried again; `sent`: taken by the mail server or the telephone network; `failed`: never will be (P5.4). */
export const deliveryState = z.enum(['waiting', 'sent', 'failed']);
export type DeliveryState = z.infer<typeof deliveryState>;

/** One notification of one person by one channel. `time`: of this state; `reason`: why it failed, as a sentence for people; null if nothing is wrong. */
export const told = z.object({
  /** `You` for the holder, else the guardian's name. */
  name: z.string(),
  /** The guardian's; null for the holder. One who was removed since keeps theirs. */
  guardian: uuid.nullable(),
  channel,
  state: deliveryState,
  time,
  reason: z.string().nullable(),
});
export type Told = z.infer<typeof told>;

/** A guardian who cannot be reached by a channel: the newest notification failed for good, and none has arrived since (P5.4). `reason`: a sentence for people. */
export const trouble = z.object({ channel, since: time, reason: z.string() });
export type Trouble = z.infer<typeof trouble>;

/**
 * What the telephone network calls: forms as Twilio posts them, checked by their signature over the public URL and all fields, so there is no schema
 * here. And one-click unsubscribing (RFC 8058): mail programs POST, people GET a page with one button.
 */
export const alertEndpoints = endpoints({
  'POST /texts/inbound': {
    summary: 'Somebody texted us: STOP, START, HELP (P5.5). A form, signed in `x-twilio-signature`; answers TwiML',
    access: 'public',
    answer: nothing,
    errors: ['sender_unknown'],
  },
  'POST /texts/status': {
    summary: 'What became of a text. A form, signed in `x-twilio-signature`; `job` in the query says which one',
    access: 'public',
    query: z.object({ job: uuid }),
    answer: nothing,
    errors: ['sender_unknown'],
  },
  'GET /unsubscribe/:token': {
    summary: 'A page with one button that ends mails of this kind; opening it does nothing (P2.1). 410, as a page too, for a dead link',
    access: 'public',
    params: z.object({ token: z.string().min(1).max(200) }),
    answer: nothing,
    errors: [],
  },
  'POST /unsubscribe/:token': {
    summary: 'Ends mails of this kind for whom the link was made (RFC 8058); answers a page',
    access: 'public',
    params: z.object({ token: z.string().min(1).max(200) }),
    answer: nothing,
    errors: [],
  },
});
