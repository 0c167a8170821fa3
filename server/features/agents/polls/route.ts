import { agentChangesEndpoint } from '@porchlight/contract/agent-changes.ts';
import type { FastifyInstance } from 'fastify';
import type { Call } from '../../../http/admission.ts';
import { schemaOf } from '../../../http/bind.ts';
import { callerOf } from '../../../http/caller-of.ts';
import { bearer } from '../../../http/gates.ts';
import { fail } from '../../../lib/errors.ts';
import { tokenHash } from '../../../secrets/tokens.ts';
import type { devicePolls } from './device-polls.ts';
import { readKnown } from './known.ts';
import type { LongPolls } from './long-polls.ts';
import type { OpenPolls } from './open-polls.ts';
import type { Presence } from './presence.ts';

export interface PollRouteDeps {
  polls: Pick<ReturnType<typeof devicePolls>, 'authenticate' | 'begin'>;
  longPolls: Pick<LongPolls, 'moment'>;
  openPolls: OpenPolls;
  presence: Pick<Presence, 'isSteady'>;
  /** The poll no longer counts as work of the server: it only waits. */
  waits(call: Call): void;
}

const path = '/agent/changes';

/** `POST /agent/changes`: the statement that authenticates it also reads all that it compares. */
export function pollRoute(app: FastifyInstance, { polls, longPolls, openPolls, presence, waits }: PollRouteDeps): void {
  app.directCalls.add('POST', `/api${path}`, async ({ request, response, id, ip }) => {
    app.requireProtocol(`POST ${path}`, request.headers);
    const [since, caller] = [longPolls.moment(), callerOf(ip)];
    const polled = await polls.authenticate(tokenHash(bearer(request) ?? fail('unauthorized')), caller);
    const known = await readKnown(request);
    const begun = await polls.begin(polled, caller, { protecting: known.protecting, steady: presence.isSteady(polled.device) });
    waits(request);
    openPolls.open({ response, known, begun, since, request_id: id });
  });
  // For the documentation of the API, and for calls that do not come through Node's own server.
  app.route({
    method: 'POST',
    url: `/api${path}`,
    schema: schemaOf(path, agentChangesEndpoint[`POST ${path}`]),
    config: { isDirect: true },
    async onRequest({ raw }, reply) {
      if (!app.directCalls.answer(raw, reply.raw)) fail('not_found');
      reply.hijack();
    },
    handler: async () => fail('not_found'),
  });
}
