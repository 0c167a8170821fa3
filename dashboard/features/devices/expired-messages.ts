export const messages = {
  ask: (name: string) => (name ? `Ask ${name} for a new code` : 'Ask for a new code'),
  asked: (name: string) => `We emailed ${name || 'the person who sent it'}. Wait for a new link, and open that one on this computer.`,
  newer: (name: string) => `This link no longer works. Ask ${name || 'the person who sent it'} for a new one.`,
} as const;
