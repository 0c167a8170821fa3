import { brand } from '@porchlight/contract/brand.ts';

export const messages = {
  notRunning: `${brand.name} is not running on this computer. Restart the computer. If that doesn’t help, email ${brand.support.email}.`,
  notStarted: `No ${brand.name} of “npm start” or “npm run agent” runs here that this command can reach. Start one first. If one was started with sudo, use sudo here too, with the same DATA_DIR.`,
  handedOver: `The ${brand.name} that runs here opens its window. Without a screen, it prints the address of the window where it was started.`,
  notOurs: `This link is not for the ${brand.name} on this computer.`,
} as const;
