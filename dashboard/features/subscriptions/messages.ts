import { counted } from '@porchlight/contract/language.ts';

const freePlan = 'The free plan’s protection stays on.';

export const messages = {
  heading: 'Your plan',
  subscribe: 'Subscribe',
  manage: 'Manage Plan',
  limit: (n: number) => (n === 1 ? 'Protects 1 device' : `Protects up to ${n} devices`),
  every: { month: 'monthly', year: 'yearly' },
  per: { month: 'mo', year: 'yr' },
  regular: (price: string) => `Regular price ${price}`,
  trial: (date: string) => `Your free trial ends on ${date}.`,
  trialStops: (date: string) => `Your free trial ends on ${date}, and nothing will be charged. ${freePlan}`,
  renews: (date: string) => `Renews on ${date}.`,
  stops: (date: string) => `Your plan ends on ${date} and will not renew. ${freePlan}`,
  unpaid:
    'Your last payment did not go through, so your plan is on hold. The free plan’s protection stays on. Press Manage Plan and check your card.',
  pastDue: 'Your last payment did not go through. You are still protected. Press Manage Plan and check your card.',
  ended: (date: string) => `Your plan ended on ${date}. ${freePlan}`,
  noPlan: 'You have no plan.',
  external: 'Your plan is managed externally. To change it, contact support.',
  lifetime: 'Your plan is for life. There is nothing to pay.',
  complimentary: 'Complimentary access: free of charge. We keep a light on for you.',
  tooMany: (limit: number, devices: number) =>
    `Your plan protects ${counted(limit, 'device')} and you have ${devices}: nothing was removed. To add another, change your plan or remove some.`,
  promo: {
    label: 'Your offer',
    offer: (discount: string, duration: string) => `${discount} for ${duration}`,
    applied: (code: string) => `The offer ${code} is taken off when you choose a plan.`,
    after: 'After that it renews at the regular price.',
  },
} as const;

export const paid = {
  wait: 'Please wait...',
  lead: 'Thank you. We are getting your plan ready. You do not need to press anything.',
  /** The error reported to operators (8.14). */
  internal: "Failed to update the user's subscription. There might be an error processing Stripe webhooks.",
  late: {
    heading: 'Your payment is being looked at',
    lead: 'We have not heard from the payment service yet. Please do not pay again. This page continues as soon as your plan is ready.',
    support: 'If nothing has changed in an hour, contact us:',
    notPaid: 'I have not paid yet. Show me the plans',
  },
} as const;
