export const messages = {
  ask: (holder: string) => `New in ${holder}’s account.`,
  no: 'I don’t know it',
  confirm: (device: string, holder: string) => ({
    heading: `You don’t know ${device}?`,
    body: `We tell ${holder} and the other guardians. It stays protected, and gives nobody in the account more freedom. You can take this back.`,
    confirm: 'I don’t know it',
  }),
  yours: 'You said you don’t know it.',
  others: 'Another guardian said they don’t know it.',
  yes: 'I know it now',
  yesOf: (device: string) => `I know ${device} now`,
} as const;
