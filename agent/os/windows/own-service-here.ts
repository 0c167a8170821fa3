import { openRegistry } from './native/registry.ts';
import { loadSecurity } from './native/security.ts';
import type { ServiceCalls } from './native/services.ts';
import { ownService } from './own-service.ts';
import { serviceName } from './services/run-as-service.ts';
import { services } from './services/services.ts';

/** Our service on this Windows. */
export const ownServiceHere = (calls: ServiceCalls) =>
  ownService({ name: serviceName, registry: openRegistry(), services: services(calls), rights: loadSecurity() });
