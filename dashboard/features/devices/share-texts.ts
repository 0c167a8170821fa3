export const t = {
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
  connected: 'Connected. This computer is protected now.',
  notThere: 'Porchlight did not answer on this computer. Type the code into it instead.',
  copyCode: 'Copy code',
  copyLink: 'Copy link',
  copied: 'Copied!',
  print: 'Print this page',
  until: (when: string) => `The code works once, until ${when}.`,
  qr: 'QR code of this page',
  notCalled: 'Did a stranger on the phone send you here? Hang up. We never call you first.',
  dead: {
    code_used: [
      'This code has already been used',
      'The device is connected, or someone else used the code. If that was not you, tell the person who sent it.',
    ],
    code_expired: ['This code has expired', 'Ask the person who sent it to make a new one on the dashboard.'],
    code_unknown: ['We do not know this code', 'Check each letter and number, or ask for the link again.'],
  } as Record<string, [string, string]>,
} as const;
