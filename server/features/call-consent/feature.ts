import type { FastifyInstance } from 'fastify';
import type { Kernel } from '../../kernel.ts';
import { type ConsentCallDeps, consentCalls } from './call.ts';
import { type CallConsentDeps, callConsentRoutes } from './routes.ts';
import { agreedNumbers, callConsentStore } from './store.ts';

type CallConsentAsks = Pick<CallConsentDeps, 'optedOutOf' | 'placeCall' | 'lockDevice'> & Pick<ConsentCallDeps, 'refuseAll'>;

/** The user of a computer agrees to be called after a stop (P11.1). */
export function callConsentFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'limit' | 'sealer' | 'settings' | 'nameOf'>,
  { refuseAll, ...asks }: CallConsentAsks,
) {
  const { db, clock, settings } = kernel;
  const store = callConsentStore(db, clock, settings.phone_verification);
  return {
    ports: { agreedNumber: agreedNumbers(store, asks.optedOutOf), consentRules: consentCalls({ ...kernel, ...asks, refuseAll, store }) },
    routes: (http: FastifyInstance, web: Pick<Kernel, 'gates' | 'weakening'>) =>
      callConsentRoutes(http, { ...kernel, ...settings, ...asks, ...web, store }),
  };
}
