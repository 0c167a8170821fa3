/** The words of the downloads, wherever they stand. */
export const t = {
  card: 'Download Porchlight',
  lead: 'The file carries the code in its name, so the computer connects by itself.',
  download: { windows: 'Download for Windows', macos: 'Download for macOS' },
  none: {
    windows: 'This service has no installer for Windows yet. Ask support.',
    macos: 'This service has no installer for macOS yet. Ask support.',
    all: 'This service has no installers yet. Ask support.',
  },
  compatibility: (platform: string) =>
    `We detected your operating system to be ${platform}, which is currently not compatible with the product.`,
} as const;
