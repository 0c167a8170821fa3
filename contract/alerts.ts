import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { nothing, time, uuid } from './shapes.ts';

/** `push`: a notification in a browser (P11.6). */
export const channel = z.enum(['mail', 'sms', 'push']);
export type Channel = z.infer<typeof channel>;

/** `waiting`: queued, or before a retry; `sent`: accepted by the mail server or telephone network; `failed`: permanently (P5.4). */
export const deliveryState = z.enum(['waiting', 'sent', 'failed']);
export type DeliveryState = z.infer<typeof deliveryState>;

/**
 * Why a delivery did not arrive, or not yet. - `trying`, `ours`: it is tried again; the latter is our fault. - `gave_up`, `too_late`: it was tried for
 * long enough. - `undelivered`: the network took it, and the phone did not. - `country`, `budget`: of a text that we do not send.
 */
export const deliveryTrouble = z.enum([
  ...(['trying', 'ours', 'gave_up', 'too_late', 'undelivered'] as const),
  ...(['refused', 'no_address', 'opted_out', 'country', 'budget'] as const),
]);
export type DeliveryTrouble = z.infer<typeof deliveryTrouble>;

/** One notification by one channel. `time`: when this state began; `reason`: the sentence about `why`. */
export const notificationDelivery = z.object({
  /** The recipient's name; `You` for the holder. */
  name: z.string(),
  /** The guardian's id; null for the holder. */
  guardian: uuid.nullable(),
  channel,
  state: deliveryState,
  time,
  why: deliveryTrouble.nullable(),
  reason: z.string().nullable(),
});
export type NotificationDelivery = z.infer<typeof notificationDelivery>;

/** A channel that does not reach a guardian: its newest notification failed permanently (P5.4). `reason`: the sentence about `why`. */
export const trouble = z.object({ channel: channel.exclude(['push']), since: time, why: deliveryTrouble, reason: z.string() });
export type Trouble = z.infer<typeof trouble>;

/**
 * Webhooks of Twilio, verified by their signature over the public URL and all fields, hence no schema.
 * One-click unsubscribing (RFC 8058): mail programs POST, people GET a page with one button.
 */
export const alertEndpoints = endpoints({
  'POST /texts/inbound': {
    summary:
      'Somebody texted us: STOP, START, HELP (P5.5), or 1 for *I’m on it* (P11.1). A form, signed in `x-twilio-signature`; answers TwiML',
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
