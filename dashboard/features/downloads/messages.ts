import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { systems } from './download-messages.ts';

export const messages = {
  heading: 'Start using our free plan',
  lead: 'Blocks remote connection and removes existing scam threats.',
  email: 'Email',
  emailHint: 'We keep it only if you agree to updates below.',
  marketing: 'I agree to receive occasional product updates and marketing emails',
  terms: 'I agree to the {terms of service} and the {privacy policy}',
  termsNeeded: 'Please agree to the terms of service.',
  emailNeeded: 'Please enter a valid email address.',
  failed: 'Something went wrong. Is your email address correct?',
  submit: 'Download now',
  needHelp: 'Do you need help?',
  downloading: 'Downloading',
  started: 'The download has started. If you do not see it, press the button.',
  steps: (system: InstallerPlatform) => `How to install it on ${systems[system]}`,
  generic: 'You can now download and install on your device',
  genericSteps: [
    'Choose the download for the computer that you want to protect. Porchlight works on Windows and on a Mac.',
    'Are you on a phone or a tablet? Open this page on the computer.',
    'When the download is there, open the file and follow what it says.',
  ],
  linux: [
    'Open your Downloads folder, and double-click the file called Porchlight. Your software manager opens: choose Install.',
    'Your computer asks for the password that you log in with.',
    'Open Porchlight from your menu. It says that this computer has the free plan. You are done.',
  ],
  windows: [
    'Open your Downloads folder, and press twice on the file called Porchlight.',
    'If Windows asks whether this app may make changes, choose Yes.',
    'Porchlight opens and says that this computer has the free plan. You’re done.',
  ],
  macos: [
    'Open your Downloads folder, and press twice on the file called Porchlight.',
    'Press Continue, then Install. Your Mac asks for the password that you log in with.',
    'Porchlight opens and says that this computer has the free plan. You’re done.',
  ],
} as const;
