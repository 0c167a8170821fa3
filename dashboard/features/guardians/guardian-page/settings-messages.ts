export const messages = {
  reach: {
    heading: 'How we reach you',
    mail: 'Emails',
    texts: 'Text messages',
    weekly: 'Weekly reports',
    weeklyHint: 'You get an email after each week in which something happened. In quiet times you get one a month.',
    everyWeek: 'Reports about quiet weeks',
    on: 'On',
    off: 'Off',
    turn: (label: string, on: boolean) => `Turn ${label.toLowerCase()} ${on ? 'on' : 'off'}`,
    changed: (label: string, on: boolean) => `${label} are ${on ? 'on' : 'off'} now.`,
    nothing: (holder: string) =>
      `Your emails and texts are both off, so we can’t tell you when something happens to ${holder}. Turn one of them on.`,
  },
  phone: {
    label: 'Phone number',
    hint: 'We text you a code first, to make sure it is yours. Carrier rates may apply.',
    none: 'No phone number for texts.',
    unverified: 'Your phone number isn’t confirmed yet. Enter the code we texted you.',
    add: 'Add your phone number',
    save: 'Save and text me a code',
    notNow: 'Not Now',
    missing: 'Enter your phone number first.',
    verified: (number: string) => `Texts go to ${number}.`,
    called: 'When nobody answers an alert, we call it too.',
    other: 'Use another number',
    remove: 'Remove the number',
    removed: 'Your number is removed.',
    optedOut: (host: string | null) =>
      host
        ? `You have asked us not to send texts. To get them again, text START to ${host}.`
        : 'You have asked us not to send texts. To get them again, text START to the number that our texts came from.',
    verifyHeading: 'Confirm your phone number',
    lead: (number: string) => `Is ${number} yours? We text you six digits, and you enter them here.`,
    sent: (number: string) => `We texted six digits to ${number}. They work for 10 minutes.`,
    verify: 'Verify',
    send: 'Text me the code',
    sendNew: 'Send a new code',
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
  lost: {
    heading: 'Send me my link again',
    lead: 'Enter the email address where you get our emails. If it belongs to a guardian, we’ll send your link.',
    email: 'Your email address',
    send: 'Send my link',
    missing: 'Enter your email address first.',
    sent: (email: string) => `If you are a guardian with ${email}, an email with your link is on its way. Check your spam folder, too.`,
  },
} as const;
