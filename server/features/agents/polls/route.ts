import { agentChangesEndpoint } from '@porchlight/contract/agent-changes.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Call } from '../../../lib/admission.ts';
import { bind } from '../../../lib/bind.ts';
import { callerOf } from '../../../lib/caller-of.ts';
import { fail } from '../../../lib/errors.ts';
import { bearer, type Gates } from '../../../lib/gates.ts';
import { tokenHash } from '../../../lib/tokens.ts';
import type { LongPolls } from '../long-polls.ts';
import type { devicePolls, PolledDevice } from './device-polls.ts';
import type { OpenPolls } from './open-polls.ts';
import type { Presence } from './presence.ts';

export interface PollRouteDeps {
  gates: Gates;
  polls: ReturnType<typeof devicePolls>;
  longPolls: Pick<LongPolls, 'moment'>;
  openPolls: OpenPolls;
  presence: Pick<Presence, 'isSteady'>;
  /** The poll no longer counts as work of the server: it only waits. */
  waits(call: Call): void;
}

interface Authenticated {
  device: string;
  polled: PolledDevice;
  since: number;
}

/** `POST /agent/changes`: the statement that authenticates it also reads all that it compares. */
export function pollRoute(app: FastifyInstance, { gates, polls, longPolls, openPolls, presence, waits }: PollRouteDeps): void {
  const device = async (request: FastifyRequest): Promise<Authenticated> => {
    const since = longPolls.moment();
    const polled = await polls.authenticate(tokenHash(bearer(request) ?? fail('unauthorized')), callerOf(request.ip));
    return { device: polled.device, polled, since };
  };
  bind(app, { ...gates, device }, agentChangesEndpoint, {
    'POST /agent/changes': async ({ body, ip, request, reply }) => {
      const { polled, since } = request.caller as Authenticated;
      const begun = await polls.begin(polled, ip, { protecting: body.protecting, steady: presence.isSteady(polled.device) });
      waits(request.raw);
      reply.hijack();
      openPolls.open({ response: reply.raw, known: body, begun, since, request_id: request.id });
      // Fastify ignores it, because the poll is answered later.
      return { changed: false };
    },
  });
}
