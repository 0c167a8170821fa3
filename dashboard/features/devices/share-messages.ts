export const messages = {
  from: (name: string) => `${name} wants to protect this computer`,
  lead: (device: string) =>
    `It is called ${device} on the dashboard. Porchlight stops phone scammers from getting into it, and tells the family at once.`,
  steps: 'Three steps',
  one: 'Install Porchlight on this computer. The person who sent you this has it, and can help.',
  two: 'Porchlight opens and asks for a code.',
  three: 'Type this code, and you are done:',
  onThis: 'Are you at that computer already, with Porchlight on it?',
  connect: 'Connect this computer',
  connecting: 'Connecting…',
  connected: 'Connected. Porchlight is on here now.',
  notThere: 'Porchlight did not answer on this computer. Type the code into it instead.',
  installed: 'Is Porchlight installed here?',
  open: 'Open it and connect',
  asked: 'Answer the question in the Porchlight window. It has opened on this computer, and nothing changes until you do.',
  declined: 'Someone at this computer said no. If that was a mistake, type the code into Porchlight.',
  pin_needed:
    'This computer belongs to an account already. Answer the question in the Porchlight window that has opened on it. It also asks for the Admin PIN of that account. Do not know it? Ask whoever has that account. If someone on the phone asked you for this, hang up.',
  copyCode: 'Copy code',
  copyLink: 'Copy link',
  copied: 'Copied!',
  print: 'Print this page',
  until: (when: string) => `The code works once, until ${when}.`,
  qr: 'QR code of this page',
  notCalled: 'Did a stranger on the phone send you here? Hang up. We never ask you for anything.',
  expired: {
    heading: 'This code has expired',
    lead: (name: string) => `Codes work for 7 days. ${name} can make a new one and send it to you.`,
    someone: 'The person who sent it',
  },
  dead: {
    code_used: [
      'This code has already been used',
      'The device is connected, or someone else used the code. If that was not you, tell the person who sent it.',
    ],
    code_unknown: ['We do not know this code', 'Check each letter and number, or ask for the link again.'],
  } as Record<string, [string, string]>,
} as const;
