import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import type { Place } from './dependencies.ts';
import { type EmergencyEndDeps, emergencyEnds } from './ends.ts';
import { type HelpDeps, helpPresses } from './help.ts';
import { type EmergencyRouteDeps, emergencyRoutes, type GuardianCaller } from './routes.ts';
import { guardianStops, type StopDeps } from './stops.ts';
import { emergencyStore, isolationInPolicy, stopInPolicy } from './store.ts';
import { suspensions } from './suspension.ts';

type Stops = StopDeps<GuardianCaller>;
interface EmergencyAsks
  extends Omit<HelpDeps, keyof Kernel | 'store'>,
    Omit<EmergencyEndDeps, keyof Kernel | 'store'>,
    Pick<Stops, 'lockCalls' | 'lockDevices' | 'someoneElses' | 'incidents' | 'mayCode' | 'stoppedPrograms' | 'deviceWords'>,
    Pick<EmergencyRouteDeps, 'lockDevice'> {
  incidents: Stops['incidents'];
  /** The account's computers, beginning with the last seen. */
  connected(...of: Parameters<Stops['lastSeen']>): Promise<Place[]>;
}

/** The presses of *Help* and *Stop everything*: programs stop, and the computer is off the internet (P10.6). */
export function emergencyFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify' | 'limit' | 'events' | 'nameOf'>,
  asks: EmergencyAsks,
) {
  const { db, clock, events } = kernel;
  const store = emergencyStore(db, clock);
  const ends = emergencyEnds({ ...kernel, ...asks, store });
  const help = helpPresses({ ...kernel, ...asks, store });
  events.on('incident_ended', ends.withIncident);
  return {
    ports: {
      inPolicy: { emergency_stop: stopInPolicy, isolation: isolationInPolicy },
      ...{ help, stopsOf: store.stopsOf, suspensionAt: suspensions({ ...kernel, ...asks, store }) },
    },
    jobs: { emergency_end: ends.job },
    routes(
      http: FastifyInstance,
      { gates, refuseAll, activeGuardian }: Pick<EmergencyRouteDeps, 'gates' | 'activeGuardian'> & Pick<Stops, 'refuseAll'>,
    ) {
      const lastSeen: Stops['lastSeen'] = async (connection, account) => (await asks.connected(connection, account))[0];
      const stops = guardianStops<GuardianCaller>({ ...kernel, ...asks, store, refuseAll, lastSeen });
      emergencyRoutes(http, { ...kernel, ...asks, gates, store, stops, help, activeGuardian });
    },
  };
}
