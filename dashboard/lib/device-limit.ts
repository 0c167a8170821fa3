import type { Plan } from './plan.ts';

/** 2.48: an external or lifetime plan without a number has no limit. */
export function deviceLimitOf(plan: Plan): number {
  return plan.device_limit === 0 && (plan.external || plan.lifetime) ? Number.POSITIVE_INFINITY : plan.device_limit;
}
