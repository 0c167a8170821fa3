import { brand } from '@porchlight/contract/brand.ts';

/** `device`: phone, tablet or computer. */
export const messages = {
  offer: (device: string) => `Get alerts on this ${device}`,
  why: 'A notification makes a sound even when you do not read mail.',
  label: (device: string) => `Alerts on this ${device}`,
  on: 'On',
  off: 'Off',
  turnOn: 'Turn alerts on',
  turnOff: 'Turn alerts off',
  notNow: 'Not now',
  close: 'Close',
  turnedOn: (device: string) => `Alerts are on. This ${device} makes a sound when something happens.`,
  turnedOff: (device: string) => `Alerts are off on this ${device}.`,
  later: 'You can change this in your settings below.',
  unanswered: 'Alerts are still off. Press the button again, then press Allow.',
  denied: `Your browser blocks alerts from ${brand.name}. Press the icon beside the address, at the top or bottom of the window. Allow notifications there, then load this page again.`,
  failed: 'Your browser could not turn alerts on. Check that you’re online, and try again.',
  homeScreen: {
    lead: 'On an iPhone or iPad, alerts need this page on your home screen:',
    steps: ['Tap Share in Safari.', 'Tap Add to Home Screen, then Add.', `Open ${brand.name} from the home screen, and turn alerts on.`],
  },
} as const;
