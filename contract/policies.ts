import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { type Category, type PolicyAction, uuid } from './shapes.ts';

/** 3.4; the two fixed ones have the identifiers `strict` and `permissive` instead of a uuid (3.3, P4.0). */
export const policyId = z.union([z.enum(['strict', 'permissive']), uuid]);
export type PolicyId = z.infer<typeof policyId>;

export const protectionProfile = z.object({ uuid: policyId, name: z.string(), description: z.string() });
export type ProtectionProfile = z.infer<typeof protectionProfile>;

/** P4.1: what each fixed policy does. The dashboard strips ' (Default)' for display (2.80). */
export const fixedPolicies = {
  strict: {
    name: 'Strict (Default)',
    description: 'Stops remote-control programs and deceptive programs. Best for most people.',
    actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
  },
  permissive: {
    name: 'Permissive',
    description: 'Tells you about remote-control and deceptive programs without stopping them.',
    actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' },
  },
} as const satisfies Record<'strict' | 'permissive', { name: string; description: string; actions: Record<Category, PolicyAction> }>;

export const policyEndpoints = endpoints({
  'GET /web/policies': {
    summary: 'The protection profiles a device can have (7.13)',
    access: 'member',
    answer: z.object({ default_policies: z.array(protectionProfile), custom_policies: z.array(protectionProfile) }),
    errors: [],
  },
});
