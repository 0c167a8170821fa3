import type { BuildProgress } from '@porchlight/contract/downloads.ts';
import { systems } from './download-messages.ts';

/** Loaded only where a build runs, failed, or left an installer out. */
export const messages = {
  preparing: {
    heading: 'We’re getting this download ready.',
    wait: 'This takes a few minutes. Leave this page open: the download will appear here.',
    bar: 'Getting the download ready',
    starting: 'Starting…',
    step: ({ step, steps, platform }: BuildProgress) => `Step ${step} of ${steps}${platform ? `: ${systems[platform]}` : ''}`,
    ready: 'The download is ready.',
  },
  notReady: 'This download isn’t ready yet.',
  failed: 'Something went wrong while we were getting it ready. We’ll try again in about 10 minutes, and you can leave this page open.',
  /** For who runs a server on their own computer. */
  failedWhy: {
    offline: 'This computer could not fetch a part from the npm registry.',
    disk_full: 'The disk of this computer is full.',
    release_key: 'The release key of the installers that were here before is missing.',
    too_slow: 'It took longer than 20 minutes.',
    other: 'The log of the server has the reason.',
  },
  byHand: ['To try at once and read more, run', 'in the folder of the project.'],
  makensis: ['Building the installer for Windows takes makensis. On Debian and Ubuntu, run', 'and reload this page.'],
} as const;
