import type { Subscription } from '@porchlight/contract/subscriptions.ts';

export type Plan = Pick<Subscription, 'subscribed' | 'external' | 'lifetime' | 'device_limit'>;

/** P6.4: subscribed, external, lifetime, or complimentary (a device limit above 0). */
export function isValid(plan: Plan): boolean {
  return plan.subscribed || plan.external || plan.lifetime || plan.device_limit > 0;
}

/** 2.50, 4.15. A complimentary account can buy too (P6.4); a lifetime one need not. */
export function mayBuy(plan: Plan | undefined): boolean {
  return plan !== undefined && !plan.subscribed && !plan.external && !plan.lifetime;
}
