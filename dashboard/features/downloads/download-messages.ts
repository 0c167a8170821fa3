import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

export const systems = { windows: 'Windows', macos: 'macOS', linux: 'Linux' } as const satisfies Record<InstallerPlatform, string>;

export const messages = {
  card: 'Download Porchlight',
  lead: 'The code is in the file’s name, so the computer connects automatically.',
  leadLinux: 'Install the package, open Porchlight from your menu, and type the code.',
  download: { windows: 'Download for Windows', macos: 'Download for macOS', linux: 'Download for Linux' },
  /** `system`: null if there are no installers at all. */
  none: (system: InstallerPlatform | null) =>
    system ? `This service has no installer for ${systems[system]} yet.` : 'This service has no installers yet.',
  make: ['To make them, run', 'in the folder of the project. Then reload this page.'],
  tell: 'Email us, and we’ll tell you when there is one.',
  ask: 'Ask support, and they’ll tell you when there is one.',
  mail: {
    button: 'Ask to be told',
    subject: 'Please tell me when I can install Porchlight',
    body: (system: string) => `Please write to me when there is an installer for ${system}.`,
    computer: 'my computer',
  },
  compatibility: (platform: string) =>
    `We detected your operating system to be ${platform}, which is currently not compatible with the product.`,
} as const;
