export const t = {
  heading: 'Your plan',
  subscribed: 'You have a subscription.',
  complementary: 'Free of charge. We keep a light on for you.',
  limit: (n: number) => (n === 1 ? 'Protects 1 device' : `Protects up to ${n} devices`),
} as const;
