import { names, someOf } from './format.ts';

/** A site that is paused because its name looks like another’s (P16.2). */
export const pausedSiteMessages = {
  /** `brand`: null for a site that was just registered. */
  title: (brand: string | null) =>
    brand === null ? 'This site is only a few days old' : `This isn’t really ${brand}, as far as we can tell`,
  why: (brand: string | null) =>
    brand === null
      ? 'It was made within the last 14 days, as scam sites often are, and nobody has opened it on this computer before.'
      : `Its name looks like ${brand}, and it is none of the sites of ${brand} that we know.`,
  press: (relatives: string[]) =>
    `Do you know this page, and did nobody tell you to open it? Then you can open it.${relatives.length ? ` ${names(relatives)} will read about it in the weekly email.` : ''}`,
  open: 'Open it for an hour',
  ask: (relatives: string[]) => `Do you need this page? Right now it opens only after ${someOf(relatives)} says yes.`,
  askButton: (relatives: string[]) => `Ask ${someOf(relatives)} to open it`,
  /** Nobody can be asked. */
  notNow: 'It can’t be opened right now. Ask someone you trust to look at it with you.',
  opened: 'You can open it now, for an hour. Load the page again.',
  refused: 'Someone said no, so it stays closed.',
} as const;
