import type { FastifyInstance } from 'fastify';
import type { SimulatorAccess } from '../access.ts';
import type { PushSimulator } from './push.ts';

const labelMax = 60;

/**
 * Gives out a subscription, where a page would ask its browser. `{ "label": "Bob’s phone" }` names it. Open to the pages of this server
 * without the key of the simulators, which the people who try them do not have: a subscription shows nothing, and nothing is stored for it.
 */
export function pushSimulatorRoutes(app: FastifyInstance, access: SimulatorAccess, simulator: Pick<PushSimulator, 'subscribe'>): void {
  app.post('/dev/push', { schema: { hide: true } }, async (request, reply) => {
    access.checkSameOrigin(request);
    const { label } = (request.body ?? {}) as { label?: unknown };
    const subscription = await simulator.subscribe(typeof label === 'string' && label ? label.slice(0, labelMax) : 'A browser');
    return reply.type('application/json').send(JSON.stringify(subscription));
  });
}
