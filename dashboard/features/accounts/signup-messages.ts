export const messages = {
  dead: {
    code_unknown: ['We do not know this sign-up code', 'Check each letter and number of the link, or ask the person who gave it to you.'],
    code_used: ['This sign-up code has been used', 'Ask the person who gave it to you for a new one.'],
    code_expired: ['This sign-up code has expired', 'Ask the person who gave it to you for a new one.'],
  } as Record<string, [heading: string, what: string]>,
  without: 'Register without a code',
} as const;
