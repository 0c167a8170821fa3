import { blameless } from '@porchlight/contract/advice.ts';

export const messages = {
  cancel: 'Cancel',
  lookOut: (holder: string) => `You look out for ${holder}`,
  nothingToDo: 'There’s nothing to do. If something happens, we’ll tell you at once.',
  onIt: {
    button: 'I’m on it',
    of: (name: string) => `I’m on it: ${name}`,
    hint: 'Press this so the others know you’ve got it.',
    said: (when: string) => `You said you are on it, ${when}`,
    notYet: 'Not pressed yet: I’m on it.',
  },
  now: {
    byKnown: (call: string) => `${call} now, on the number you know.`,
    say: `Say: ${blameless}`,
    ask: 'Ask: “Is someone on the phone with you, or moving things on your screen?”',
    heading: 'What to do now, and what to say',
  },
  doNow: 'Do something now',
  devices: 'Computers',
  noDevices: 'None yet.',
  lastSeen: (when: string) => `Last seen ${when}`,
  never: 'Not connected yet',
  silence: (name: string, text: string) => `${name} ${text}.`,
  alerts: 'What happened lately',
  settings: 'Your settings',
  none: (holder: string) => `When we stop something on ${holder}’s computers, it shows up here.`,
  pending: { heading: (holder: string) => `${holder} asks you to be a guardian` },
  ended: {
    expired: { heading: 'This invitation has expired' },
    declined: { heading: 'You said no, and that is fine' },
    left: { heading: 'You are no longer a guardian' },
    dead: { heading: 'This link no longer works' },
  },
} as const;
