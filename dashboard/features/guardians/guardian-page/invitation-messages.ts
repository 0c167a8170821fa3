export const messages = {
  lead: (holder: string) => `You are someone ${holder} trusts. It takes one press, and costs nothing.`,
  doesHeading: 'What a guardian does',
  does: (holder: string) => [
    `When a scammer tries to get into ${holder}’s computer, we stop it, and write to you at once.`,
    `You call ${holder}. We tell you what to ask, and what to say.`,
    'You can stop at any time, with one button on this page.',
  ],
  private: (holder: string) =>
    `You never see what ${holder} does on the computer, the PIN or the bills. ${holder} sees when you look here.`,
  accept: 'I will look out',
  decline: 'No, thank you',
  declineAsk: (holder: string) => ({
    heading: 'Say no?',
    body: `We tell ${holder} that you cannot do it. ${holder} can ask you again.`,
    confirm: 'Say no',
  }),
} as const;
