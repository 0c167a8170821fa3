import type { FastifyInstance } from 'fastify';
import { type CareParts, care } from './care.ts';
import { forgetEnded } from './db/delete-expired.ts';
import type { Db } from './db/open.ts';
import { careRoutes } from './features/activity-log/routes.ts';
import { forgetJobs } from './jobs/queue.ts';
import type { Gates } from './lib/gates.ts';
import type { Alerting } from './notifications/notifications.ts';

export interface CareWires extends Omit<CareParts, 'tell' | 'deliveriesOf' | 'forgetJobs' | 'forgetEnded'> {
  db: Db;
  alerts: Pick<Alerting, 'tell' | 'deliveries'>;
}

/** A part of the wiring list: what looks after people once all is set up, and the gate for what weakens protection. */
export function wireCare({ alerts, ...wires }: CareWires) {
  const { db, settings } = wires;
  const forget = { forgetJobs: forgetJobs(db), forgetEnded: forgetEnded(db) };
  const parts = care({ ...wires, ...forget, tell: alerts.tell, deliveriesOf: alerts.deliveries.of });
  return {
    ...parts,
    weaken: parts.acts.weaken,
    routes: (http: FastifyInstance, gates: Gates) => careRoutes(http, { ...parts, db, gates, settings }),
  };
}
