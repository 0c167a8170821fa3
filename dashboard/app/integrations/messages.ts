export const messages = {
  heading: 'May we use these outside services?',
  services: {
    chat: 'A chat window, so you can write to our support team.',
    errors: 'A report to us when a page breaks. All words, and everything you type, are blacked out.',
    analytics: 'A count of which pages are opened. It doesn’t know who you are.',
  },
  free: 'We load nothing until you turn it on. You’re protected either way.',
  save: 'Save my choices',
  no: 'No, thank you',
  choices: 'Privacy choices',
  kept: 'Thank you. You can change this any time with Privacy choices.',
  chatWords: {
    launcherTitle: 'Chat with support',
    welcomeTitle: 'Hello. How can we help?',
    welcomeDescription: 'Write to us here. We’ll never ask you to tell us your password or your PIN.',
    availableMessage: 'We are here now',
    unavailableMessage: 'We are away. Our support hours are 9am to 8pm US Eastern Time.',
  },
} as const;
