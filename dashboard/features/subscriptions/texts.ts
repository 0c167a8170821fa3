export const t = {
  heading: 'Your plan',
  subscribed: 'You have a subscription.',
  complementary: 'Free of charge. We keep a light on for you.',
  limit: (n: number) => (n === 1 ? 'Protects 1 device' : `Protects up to ${n} devices`),
  promo: {
    label: 'Your offer',
    offer: (off: string, long: string) => `${off} for ${long}`,
    applied: (code: string) => `The offer ${code} is taken off when you choose a plan.`,
    after: 'After that it renews at the regular price.',
  },
} as const;
