import { type HeldRequest, heldRequestEndpoints } from '@porchlight/contract/held-requests.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import { isNearAgent, weakeningCall } from '../../http/weakening-call.ts';
import type { HoldSettingsPort, Reader, Readers } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { RequestAnswers } from './answers.ts';
import type { NextChangeLookup } from './next-change.ts';
import type { RequestViews } from './view.ts';

export interface RequestRouteDeps extends Pick<Kernel, 'gates' | 'weakening'> {
  readers: Readers;
  settings: HoldSettingsPort;
  answers: RequestAnswers;
  views: RequestViews;
  nextChange: NextChangeLookup;
}

/** Held requests, and *Ask first* (P10.2, P10.3). */
export function requestRoutes(app: FastifyInstance, deps: RequestRouteDeps): void {
  const { settings, answers, views } = deps;
  const { holder, guardian } = deps.readers;

  const viewOf = async (reader: Reader, uuid: string): Promise<HeldRequest> => (await views.of(reader, uuid)) ?? fail('not_found');
  const answering = async (reader: Reader, uuid: string, body: Parameters<RequestAnswers['answer']>[2]) => {
    await deps.readers.limitAnswers(reader);
    await answers.answer(reader, uuid, body);
    return viewOf(reader, uuid);
  };

  bind(app, deps.gates, heldRequestEndpoints, {
    'GET /web/requests': async (call) => ({
      items: await views.current(await holder(call)),
      next_change: await deps.nextChange(call.account, { ip: call.ip, browser_near: isNearAgent(call.request) }),
    }),
    'GET /web/requests/:uuid': async (call) => viewOf(await holder(call), call.params.uuid),
    'POST /web/requests/:uuid': async (call) => answering(await holder(call), call.params.uuid, call.body),
    'POST /guardian/:id/requests/:uuid': async (call) => answering(await guardian(call), call.params.uuid, call.body),
    'GET /web/holding': async ({ account }) => ({ ask_first: await settings.asksFirst(account) }),
    'PATCH /web/holding': (call) =>
      deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const { account, body } = call;
        if ((await settings.asksFirst(account, trx)) === body.ask_first) return body;
        if (!body.ask_first) await weaken({ kind: 'ask_first_off' });
        await settings.setAskFirst(trx, account, body.ask_first);
        return body;
      }),
  });
}
