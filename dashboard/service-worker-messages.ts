import { brand } from '@porchlight/contract/brand.ts';

export const messages = {
  /** Browsers require a notification for each push, even for an unreadable message. */
  unreadable: { title: brand.name, body: `Open ${brand.name} to see what happened.` },
} as const;
