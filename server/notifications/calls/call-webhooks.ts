import { callEndpoints } from '@porchlight/contract/calls.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { bind, type Handlers, sendAs } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { type FormSigning, signedForm, withRawForms } from '../signed-form.ts';
import type { CallRow, CallRules, CallScript } from './call-script.ts';
import { call_open_for, isFinal, isMachine, stateOfStatus } from './call-state.ts';
import type { CallStore } from './call-store.ts';
import { callTwiml, hangUpTwiml } from './twiml.ts';

export interface CallWebhookDeps extends FormSigning, Pick<Kernel, 'gates' | 'clock'> {
  store: CallStore;
  rules: CallRules;
}

/**
 * The telephone network asks what to read, and reports keys and ends, in forms that only it can sign. A repeated form changes nothing, and
 * the id of a call alone opens nothing.
 */
export function callWebhooks(app: FastifyInstance, deps: CallWebhookDeps) {
  const { clock, store, rules, public_url } = deps;
  const answer = (reply: FastifyReply, { uuid }: CallRow, script: CallScript) =>
    sendAs(reply, 'text/xml', callTwiml(script, `${public_url}/api/calls/key?call=${uuid}`));
  const hangUp = (reply: FastifyReply) => sendAs(reply, 'text/xml', hangUpTwiml);

  /** Undefined for a call that is unknown, or that is too old for anybody to be at the phone. */
  const current = async (uuid: string): Promise<CallRow | undefined> => {
    const call = await store.get(uuid);
    return call && after(call.created, call_open_for) > clock.now() ? call : undefined;
  };

  return withRawForms(app, (scope) => {
    bind(scope, deps.gates, webhookEndpoints, {
      'POST /calls/words': async ({ request, query, reply }) => {
        const fields = signedForm(request, deps);
        const call = await current(query.call);
        // Voicemail that was left a message is final, and its words may be asked for again.
        if (!call || (isFinal(call.state) && call.state !== 'machine')) return hangUp(reply);
        const by = call.state === 'machine' || isMachine(fields.get('AnsweredBy')) ? 'machine' : 'human';
        await store.report(call.uuid, by === 'machine' ? 'machine' : 'answered', rules);
        return answer(reply, call, await rules[call.purpose].script(call, by));
      },

      'POST /calls/key': async ({ request, query, reply }) => {
        const key = signedForm(request, deps).get('Digits') ?? '';
        const call = await current(query.call);
        // The end of the call may be reported before its key.
        const wasAnswered = call?.state === 'answered' || call?.state === 'completed';
        if (!call || !wasAnswered || !/^[\d*#]$/.test(key) || !(await store.takeKey(call.uuid, key))) return hangUp(reply);
        return answer(reply, call, await rules[call.purpose].pressed(call, key));
      },

      'POST /calls/status': async ({ request, query, reply }) => {
        const state = stateOfStatus(signedForm(request, deps).get('CallStatus') ?? '');
        if (state) await store.report(query.call, state, rules);
        return hangUp(reply);
      },
    } satisfies Handlers<typeof webhookEndpoints>);
  });
}

const webhookEndpoints = {
  'POST /calls/words': callEndpoints['POST /calls/words'],
  'POST /calls/key': callEndpoints['POST /calls/key'],
  'POST /calls/status': callEndpoints['POST /calls/status'],
};
