import { brand } from '@porchlight/contract/brand.ts';

/** What Windows itself shows of us: the sign beside the clock and its balloon, and the lines of the log. */
export const words = {
  movedAside: (paths: string[]) => `Somebody else had made what only the service may have. It was moved aside: ${paths.join(', ')}.`,
  leftThere: (paths: string[]) =>
    `Somebody else has put something into the folder of the service that cannot be moved. The service does not use it: ${paths.join(', ')}.`,
  tip: brand.name,
  balloon: { title: brand.name, text: `${brand.name} has something to show you. It opens by itself.` },
  byHand:
    'Without the rights of an administrator it cannot stop programs of other people or of the system, only those that you start yourself.',
  noWindow: 'Nobody is at the computer to be shown this.',
  started: 'The service has started.',
  tookOver: 'A new version protects this computer, and has its service started again.',
  noBridge: (why: string) => `Nothing can be shown to the person at the computer: ${why}`,
  failed: (why: string) => `The service could not start: ${why}`,
} as const;
