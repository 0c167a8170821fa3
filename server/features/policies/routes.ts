import { fixedPolicies, policyEndpoints } from '@porchlight/contract/policies.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import type { Gates } from '../../lib/gates.ts';

export function policyRoutes(app: FastifyInstance, { gates }: { gates: Gates }): void {
  const fixed = (uuid: 'strict' | 'permissive') => ({ uuid, ...fixedPolicies[uuid] });
  bind(app, gates, policyEndpoints, {
    'GET /web/policies': async () => ({ default_policies: [fixed('strict'), fixed('permissive')], custom_policies: [] }),
  });
}
