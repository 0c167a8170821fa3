import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { idParam, nothing } from './shapes.ts';

/** A browser's subscription (https://www.w3.org/TR/push-api/). Keys in base64url: a P-256 point of 65 bytes, and 16 random bytes (RFC 8291). */
export const pushSubscription = z.object({
  endpoint: z.url().max(2000),
  keys: z.object({ p256dh: z.string().regex(/^[\w-]{87}=?$/), auth: z.string().regex(/^[\w-]{22}={0,2}$/) }),
});
export type PushSubscriptionBody = z.infer<typeof pushSubscription>;

/** What a push message contains, encrypted for the browser (RFC 8291). `tag`: a later message with it replaces the earlier one. */
export const pushMessage = z.object({ title: z.string(), body: z.string(), url: z.string(), tag: z.string() });
export type PushMessage = z.infer<typeof pushMessage>;

const endpointOnly = pushSubscription.pick({ endpoint: true });
/** `push_service_unknown`: the endpoint belongs to none of the known push services, so this server does not call it. */
const errors = ['push_off', 'push_service_unknown'] as const;

export const pushEndpoints = endpoints({
  'POST /web/push': {
    summary: 'Notify the holder in this browser too (P11.6). The same subscription again changes nothing',
    access: 'account',
    body: pushSubscription,
    answer: nothing,
    errors,
  },
  'POST /web/push/end': {
    summary: 'No more notifications in this browser; an unknown one is ignored',
    access: 'account',
    body: endpointOnly,
    answer: nothing,
    errors: [],
  },
  'POST /guardian/:id/push': {
    summary: 'Notify the guardian in this browser too (P11.6)',
    access: 'guardian',
    params: idParam,
    body: pushSubscription,
    answer: nothing,
    errors: [...errors, 'guardian_inactive'],
  },
  'POST /guardian/:id/push/end': {
    summary: 'No more notifications to the guardian in this browser; an unknown one is ignored',
    access: 'guardian',
    params: idParam,
    body: endpointOnly,
    answer: nothing,
    errors: [],
  },
});
