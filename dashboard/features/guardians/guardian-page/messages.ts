export const messages = {
  cancel: 'Cancel',
  lookOut: (holder: string) => `You look out for ${holder}`,
  nothingToDo: 'There’s nothing to do. If something happens, we’ll tell you at once.',
  onIt: {
    button: 'I’m on it',
    of: (name: string) => `I’m on it: ${name}`,
    hint: 'Tap this so the others know you’ve got it.',
    said: (when: string) => `You said you are on it, ${when}`,
    short: 'You are on it',
    notYet: 'Not pressed yet: I’m on it.',
  },
  answers: {
    button: 'This is sorted',
    of: (name: string) => `This is sorted: ${name}`,
    /** `by`: null for the reader's own answer. */
    mine: (by: string | null, when: string) => `${by ?? 'You'} said: “It was me,” ${when}`,
    sorted: (by: string | null, when: string) => `${by ?? 'You'} said this is sorted, ${when}`,
  },
  now: {
    byKnown: (call: string) => `${call} now, on the number you know.`,
    say: 'Say: “You did nothing wrong. Hang up on them, and don’t call back.”',
    ask: 'Ask: “Is someone on the phone with you, or moving things on your screen?”',
    heading: 'What to do now, and what to say',
    steps: (callee: string) => [
      {
        lead: `Call ${callee} now`,
        text: 'Use the number you know, not one that somebody gives you. If it’s busy, try again or go there.',
      },
      {
        lead: 'Ask',
        text: '“Is someone on the phone with you, or moving things on your screen? Did they ask for money, codes, or cards?”',
      },
      { lead: 'Say', text: '“You did nothing wrong. Hang up on them, and turn the computer off. I’m with you.”' },
      { lead: 'If a bank page was open, or anything was paid', text: 'Call the bank together, using the number on the back of the card.' },
    ],
  },
  devices: 'Computers',
  noDevices: 'None yet.',
  lastSeen: (when: string) => `Last seen ${when}`,
  never: 'Not connected yet',
  silence: (name: string, text: string) => `${name} ${text}.`,
  alerts: 'What happened lately',
  settings: 'Your settings',
  none: (holder: string) => `When we stop something on ${holder}’s computers, it shows up here.`,
  alert: {
    blocked: (name: string, device: string) => `${name} was blocked on ${device}`,
    notBlocked: (name: string, device: string) => `Not blocked: ${name} on ${device}`,
    looksLike: (name: string) => `What looks like ${name}`,
    stopped: 'Stopped',
    notStopped: 'Not stopped',
    times: (n: number) => `It was tried ${n} times.`,
  },
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
  pending: {
    heading: (holder: string) => `${holder} asks you to be a guardian`,
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
  },
  ended: {
    expired: {
      heading: 'This invitation has expired',
      lead: (holder: string) =>
        `It waited two weeks. Would you still like to look out for ${holder}? Ask ${holder} to send it again: on the dashboard, under Guardians.`,
    },
    declined: {
      heading: 'You said no, and that is fine',
      lead: (holder: string) => `We told ${holder}. If you change your mind, ask ${holder} to send the invitation again.`,
    },
    left: {
      heading: 'You are no longer a guardian',
      lead: (holder: string) =>
        `We won’t write to you anymore, and we told ${holder}. Thank you for looking out. If you change your mind, ask ${holder} to send the invitation again.`,
    },
    dead: {
      heading: 'This link no longer works',
      lead: (_holder: string) =>
        'There is a newer link, or you are no longer a guardian. Use the link in the newest email from us, or have it sent again.',
    },
  },
} as const;
