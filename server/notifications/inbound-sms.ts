import { alertEndpoints } from '@porchlight/contract/alerts.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { bind, type Handlers, sendAs } from '../http/bind.ts';
import type { Gates } from '../http/gates.ts';
import { escape } from '../texts/email.ts';
import type { DeliveryStore } from './deliveries.ts';
import { type FormSigning, signedForm } from './signed-form.ts';
import { keywordOf } from './sms-keywords.ts';
import { helpText } from './unsubscribe-texts.ts';

export interface InboundDeps extends FormSigning {
  gates: Gates;
  deliveries: Pick<DeliveryStore, 'storeCarrierStatus'>;
  optOut(number: string): Promise<unknown>;
  optIn(number: string): Promise<unknown>;
  /** `1`: *I’m on it* (P11.1). Returns the text that answers it; null for silence. */
  onIt(number: string): Promise<string | null>;
}

/** Requests of the telephone network: forms, accepted only with the carrier's signature. */
export function inboundSms(app: FastifyInstance, deps: InboundDeps): void {
  bind(app, deps.gates, inboundEndpoints, {
    'POST /texts/inbound': async ({ request, reply }) => {
      const fields = signedForm(request, deps);
      const word = keywordOf(fields.get('Body') ?? '');
      const number = fields.get('From') ?? '';
      if (word === 'out') await deps.optOut(number);
      if (word === 'in') await deps.optIn(number);
      if (word === 'on_it') return twiml(reply, await deps.onIt(number));
      return twiml(reply, word === 'help' ? helpText : null);
    },
    'POST /texts/status': async ({ request, query, reply }) => {
      const status = signedForm(request, deps).get('MessageStatus');
      if (status) await deps.deliveries.storeCarrierStatus(query.job, status);
      return twiml(reply, null);
    },
  } satisfies Handlers<typeof inboundEndpoints>);
}

const inboundEndpoints = {
  'POST /texts/inbound': alertEndpoints['POST /texts/inbound'],
  'POST /texts/status': alertEndpoints['POST /texts/status'],
};

/** The reply for the carrier (https://www.twilio.com/docs/messaging/twiml): an SMS, or nothing. */
function twiml(reply: FastifyReply, message: string | null) {
  const messageElement = message === null ? '' : `<Message>${escape(message)}</Message>`;
  return sendAs(reply, 'text/xml', `<?xml version="1.0" encoding="UTF-8"?><Response>${messageElement}</Response>`);
}
