import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { type GateDeps, weakeningGate } from './gate.ts';
import { activityRoutes } from './routes.ts';
import { activityStore } from './store.ts';
import { type UndoStoreDeps, undoStore } from './undo-store.ts';

/** The entries of the activity log. Parts that the gate needs read them. */
export function activityRecords({ db, clock }: Pick<Kernel, 'db' | 'clock'>) {
  const store = activityStore(db, clock);
  return { store, ports: { entryOf: store.entry, zoneOf: store.zoneOf, passwordChanged: store.passwordChanged } };
}

/** The log of what weakens protection, and the one gate that it passes. */
export function activityLogFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify' | 'nameOf'>,
  { store }: Pick<ReturnType<typeof activityRecords>, 'store'>,
  asks: Pick<GateDeps, 'alertUrl' | 'holds'>,
) {
  const { handlers, weaken, weakening } = weakeningGate({ ...kernel, ...asks, store });
  return {
    ports: { weaken, weakening },
    jobs: handlers,
    routes: (http: FastifyInstance, { gates, ...late }: Pick<Kernel, 'gates'> & Omit<UndoStoreDeps, 'db' | 'clock'>) =>
      activityRoutes(http, { gates, store, undo: undoStore({ ...kernel, ...late }) }),
  };
}
