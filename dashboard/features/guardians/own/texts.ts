import { limits } from '@porchlight/contract/limits.ts';

/** The words of the guardian's own page. */
export const t = {
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
  now: {
    call: (holder: string) => `Call ${holder}`,
    byKnown: (call: string) => `${call} now, on the number you know.`,
    say: 'Say: “You did nothing wrong. Hang up on them, and don’t call back.”',
    ask: 'Ask: “Is someone on the phone with you, or moving things on your screen?”',
    heading: 'What to do now, and what to say',
    steps: (name: string) => [
      { lead: `Call ${name} now`, text: 'Use the number that you know, not one that somebody gives you. Busy? Try again, or go there.' },
      { lead: 'Ask', text: '“Is someone on the phone with you, or moving things on your screen? Did they ask for money, codes or cards?”' },
      { lead: 'Say', text: '“You did nothing wrong. Hang up on them, and switch the computer off. I am with you.”' },
      { lead: 'Was a bank page open, or was anything paid?', text: 'Call the bank together, on the number on the back of the card.' },
    ],
  },
  devices: 'Computers',
  noDevices: 'None yet.',
  lastSeen: (when: string) => `Last seen ${when}`,
  never: 'Not connected yet',
  silence: (name: string, words: string) => `${name} ${words}.`,
  alerts: 'What happened lately',
  settings: 'Your settings',
  none: (holder: string) => `No recent alerts. When we stop something at ${holder}’s, it stands here.`,
  alert: {
    blocked: (name: string, device: string) => `${name} was blocked on ${device}`,
    notBlocked: (name: string, device: string) => `Not blocked: ${name} on ${device}`,
    looksLike: (name: string) => `What looks like ${name}`,
    stopped: 'Stopped',
    notStopped: 'Not stopped',
    times: (n: number) => `It was tried ${n} times.`,
  },
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
  reach: {
    heading: 'How we reach you',
    mail: 'Emails',
    texts: 'Text messages',
    on: 'On',
    off: 'Off',
    turn: (label: string, on: boolean) => `Turn ${label.toLowerCase()} ${on ? 'on' : 'off'}`,
    changed: (label: string, on: boolean) => `${label} are ${on ? 'on' : 'off'} now.`,
    nothing: (holder: string) =>
      `You get neither emails nor texts. We cannot tell you when something happens to ${holder}. Turn one of them on.`,
  },
  phone: {
    label: 'Phone number',
    hint: 'We text you a code first, to make sure it is yours. Carrier rates may apply.',
    none: 'No phone number for texts.',
    unverified: 'A phone number was entered, and not confirmed with its code yet.',
    add: 'Add your phone number',
    save: 'Save and text me a code',
    notNow: 'Not Now',
    missing: 'Enter your phone number first.',
    verified: (number: string) => `Texts go to ${number}.`,
    other: 'Use another number',
    remove: 'Remove the number',
    removed: 'Your number is removed.',
    optedOut: (host: string | null) =>
      host
        ? `You have asked us not to send texts. To get them again, text START to ${host}.`
        : 'You have asked us not to send texts. To get them again, text START to the number that our texts came from.',
    verifyHeading: 'Confirm your phone number',
    lead: (number: string) => `Is ${number} yours? We text you six digits, and you enter them here.`,
    sent: (number: string) => `We sent a text with six digits to ${number}. It works for 10 minutes.`,
    code: 'The six digits',
    verify: 'Verify',
    send: 'Text me the code',
    sendNew: 'Send a new code',
    sendIn: (label: string, seconds: number) => `${label} in ${seconds} s`,
    sixDigits: `The code has ${limits.phone_code_digits} digits. Enter all of them.`,
  },
  private: (holder: string) => `You never see ${holder}’s browsing, PIN or bills. ${holder} sees when you looked here.`,
  sessions: {
    heading: 'Where this page is open',
    lead: (holder: string) =>
      `Is there one that you don’t know? Close it. Then ask ${holder} to send you a new link, so that the old one stops working.`,
    here: 'this browser',
    lastUsed: (when: string) => `Last used ${when}`,
    end: 'Close it there',
    endOf: (browser: string, when: string) => `Close it there: ${browser}, last used ${when}`,
    ended: (browser: string) => `Closed: ${browser}.`,
  },
  leave: {
    button: 'Stop being a guardian',
    ask: (holder: string) => ({
      heading: 'Stop being a guardian?',
      body: `We no longer tell you when something happens to ${holder}. We tell ${holder} that you stopped.`,
      confirm: 'Stop being a guardian',
    }),
  },
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
        `We write to you no more, and we told ${holder}. Thank you for looking out. If you change your mind, ask ${holder} to send the invitation again.`,
    },
    dead: {
      heading: 'This link no longer works',
      lead: (_holder: string) =>
        'There is a newer link, or you are no longer a guardian. Use the link in the newest email from us, or have it sent again.',
    },
  },
  lost: {
    heading: 'Send me my link again',
    lead: 'Enter the address at which we write to you. If you are a guardian with it, your link is on its way.',
    email: 'Your email address',
    send: 'Send my link',
    missing: 'Enter your email address first.',
    sent: (email: string) => `If you are a guardian with ${email}, an email with your link is on its way. Look into the spam folder too.`,
  },
} as const;
