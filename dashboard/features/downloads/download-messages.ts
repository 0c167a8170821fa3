import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

export const systems = { windows: 'Windows', macos: 'macOS', linux: 'Linux' } as const satisfies Record<InstallerPlatform, string>;

export const messages = {
  card: 'Download Porchlight',
  lead: 'The code is in the file’s name, so the computer connects automatically.',
  leadLinux: 'Install the package, open Porchlight from your menu, and type the code.',
  download: { windows: 'Download for Windows', macos: 'Download for macOS', linux: 'Download for Linux' },
  compatibility: (platform: string) =>
    `We detected your operating system to be ${platform}, which is currently not compatible with the product.`,
} as const;
