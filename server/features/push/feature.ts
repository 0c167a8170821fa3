import type { FastifyInstance } from 'fastify';
import type { PushSender } from '../../integrations/push/push.ts';
import type { Kernel } from '../../kernel.ts';
import { type PushRouteDeps, pushRoutes } from './routes.ts';
import { pushJob, type SendPush } from './send.ts';
import { pushStore } from './store.ts';

interface PushAsks {
  sender: PushSender;
  send: SendPush;
  /** Whether browsers are simulated. */
  simulated: boolean;
}

/** Notifications in browsers (P11.6). */
export function pushFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'limit'>, { sender, send, simulated }: PushAsks) {
  const { db, clock, sealer } = kernel;
  const store = pushStore(db, clock, sealer);
  return {
    ports: {
      pushServicesOf: sender.public_key === null ? ('off' as const) : store.servicesOf,
      endPush: store.endOfSession,
      endPushes: store.endAll,
      endOthers: store.endOthers,
    },
    /** What the dashboard needs to know. */
    page: sender.public_key === null ? null : { public_key: sender.public_key, simulator: simulated ? '/dev/push' : null },
    jobs: { push: pushJob({ clock, store, send }) },
    routes: (http: FastifyInstance, asks: Pick<PushRouteDeps, 'gates' | 'lockActiveGuardian'>) =>
      pushRoutes(http, { ...kernel, ...asks, store, sender }),
  };
}
