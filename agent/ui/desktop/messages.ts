import { brand } from '@porchlight/contract/brand.ts';

export const messages = {
  notRunning: `${brand.name} is not running on this computer. Restart the computer. If that doesn’t help, email ${brand.support.email}.`,
  notOurs: `This link is not for the ${brand.name} on this computer.`,
} as const;
