import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { idParam, nothing, uuid } from './shapes.ts';

/**
 * Whether the user of a computer agreed to be called after a stop (P11.1): on their very number, by pressing 1 in a call that the holder
 * asked for. `asked`: the call was made, and nobody has pressed a key. `refused`: they pressed 9, or sent STOP.
 */
export const callConsentState = z.enum(['none', 'asked', 'agreed', 'refused']);

export const callConsent = z.object({
  /** False: this server makes no calls. */
  calls: z.boolean(),
  state: callConsentState,
  /** A call is on its way, or somebody has picked up. */
  calling: z.boolean(),
  /** The number for display; null: none is known, so there is nobody to call. */
  phone_number: z.string().nullable(),
});
export type CallConsent = z.infer<typeof callConsent>;

const callParam = z.object({ call: uuid });
const signedForm = 'A form, signed in `x-twilio-signature`; `call` in the query says which one; answers TwiML';

export const callConsentEndpoints = endpoints({
  'GET /web/devices/:id/call-consent': {
    summary: 'Whether the user of this computer agreed to be called after a stop (P11.1)',
    access: 'confirmed',
    params: idParam,
    answer: callConsent,
    errors: ['not_found'],
  },
  'POST /web/devices/:id/call-consent': {
    summary: 'Call the user of this computer now, who agrees by pressing 1 (P11.1)',
    access: 'confirmed',
    params: idParam,
    answer: callConsent,
    errors: ['not_found', 'phone_missing', 'phone_country', 'calls_off', 'calls_refused', 'calls_spent'],
  },
  'DELETE /web/devices/:id/call-consent': {
    summary: 'Never call the user of this computer again; this weakens protection (P10.1)',
    access: 'confirmed',
    params: idParam,
    answer: callConsent,
    errors: ['not_found', 'held', 'hold_limit'],
  },
});

export const callEndpoints = endpoints({
  'POST /calls/words': {
    summary: `Somebody picked up: what is read to them. ${signedForm}`,
    access: 'public',
    query: callParam,
    answer: nothing,
    errors: ['sender_unknown'],
  },
  'POST /calls/key': {
    summary: `Somebody pressed a key (P11.1). ${signedForm}`,
    access: 'public',
    query: callParam,
    answer: nothing,
    errors: ['sender_unknown'],
  },
  'POST /calls/status': {
    summary: `What became of a call. ${signedForm}`,
    access: 'public',
    query: callParam,
    answer: nothing,
    errors: ['sender_unknown'],
  },
});
