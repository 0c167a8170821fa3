import type { Plan } from './plan.ts';

/** How many devices there may be (2.48): a plan that pays elsewhere or for life, without a number, has no limit. */
export function deviceLimitOf(plan: Plan): number {
  return plan.device_limit === 0 && (plan.external || plan.lifetime) ? Number.POSITIVE_INFINITY : plan.device_limit;
}
