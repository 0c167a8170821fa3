import { z } from 'zod';
import { endpoints } from './endpoint.ts';
import { limits } from './limits.ts';
import { type Category, nameOfThing, nothing, type PolicyAction, policyAction, uuid, uuidParam } from './shapes.ts';

/** 3.4; the fixed policies have the identifiers `strict` and `permissive` instead of a uuid (3.3, P4.0). */
export const policyId = z.union([z.enum(['strict', 'permissive']), uuid]);
export type PolicyId = z.infer<typeof policyId>;

/** The action for each category of programs and sites (P4.1). */
export const policyActions = z.object({ RemoteControl: policyAction, DeceptiveUtility: policyAction, ScamWebsite: policyAction });
export type PolicyActions = Record<Category, PolicyAction>;

export const protectionProfile = z.object({ uuid: policyId, name: z.string(), description: z.string(), actions: policyActions });
export type ProtectionProfile = z.infer<typeof protectionProfile>;

/** P4.1. The dashboard strips ' (Default)' for display (2.80). */
export const fixedPolicies = {
  strict: {
    name: 'Strict (Default)',
    description: 'Stops remote-control programs, deceptive programs, and scam websites. Best for most people.',
    actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' },
  },
  permissive: {
    name: 'Permissive',
    description: 'Tells you about remote-control and deceptive programs without stopping them. Stops scam websites.',
    actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' },
  },
} as const satisfies Record<'strict' | 'permissive', { name: string; description: string; actions: PolicyActions }>;

/** The policy of a computer without an account (1.2, P4.1, P12.1). Never listed (P4.0). */
export const freePlan = {
  actions: { RemoteControl: 'block', DeceptiveUtility: 'ignore', ScamWebsite: 'block' },
  block_likely: true,
  allow: [],
} as const satisfies { actions: PolicyActions; block_likely: boolean; allow: readonly never[] };

export const ownPolicy = z.object({
  name: nameOfThing(limits.policy_name_max)
    // The suffix marks our own profile (2.80).
    .refine((name) => !/\(default\)$/i.test(name)),
  actions: policyActions,
});
export type OwnPolicy = z.infer<typeof ownPolicy>;

export const policyEndpoints = endpoints({
  'GET /web/policies': {
    summary: 'The protection profiles a device can have (7.13)',
    access: 'member',
    answer: z.object({ default_policies: z.array(protectionProfile), custom_policies: z.array(protectionProfile) }),
    errors: [],
  },
  'POST /web/policies': {
    summary: 'Make a protection profile of one’s own (P4.1)',
    access: 'member',
    body: ownPolicy,
    answer: protectionProfile,
    errors: ['policy_limit', 'policy_exists'],
  },
  'PATCH /web/policies/:uuid': {
    summary: 'Change a protection profile of one’s own; the devices that have it hear of it at once',
    access: 'member',
    params: uuidParam,
    body: ownPolicy,
    answer: protectionProfile,
    errors: ['not_found', 'policy_exists', 'held', 'hold_limit'],
  },
  'DELETE /web/policies/:uuid': {
    summary: 'Remove a protection profile of one’s own; the devices that have it go back to strict',
    access: 'member',
    params: uuidParam,
    answer: nothing,
    errors: ['not_found'],
  },
});
