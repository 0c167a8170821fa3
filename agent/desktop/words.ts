import { brand } from '@porchlight/contract/brand.ts';

/** What a person is told who opened the program or a link, when no page can say it. */
export const words = {
  notRunning: `${brand.name} does not run on this computer. Restart the computer. If that does not help, ask ${brand.support.email}.`,
  notOurs: `This link does not belong to the ${brand.name} on this computer.`,
} as const;
