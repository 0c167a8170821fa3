import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Trx } from '../../../db/open.ts';
import type { Limit } from '../../../http/rate-limit.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type WrittenEmail, writeEmail } from '../../../texts/email.ts';
import { momentInWords } from '../../../texts/formatting.ts';
import type { AccountEmails } from '../account-emails.ts';
import type { LinkStore } from '../links.ts';
import type { AccountStore } from '../store.ts';

/** Ways to log in as the activity log and the notifications name them, such as `a passkey (Chrome on Windows)`. */
export const passkeyInWords = (name: string): string => `a passkey (${name})`;
export const appInWords = 'an authenticator app';

/** Throws `too_many`: each addition causes an email of its own, and a flood of them would hide the first one. */
export type LimitAdditions = (account: string) => Promise<void>;

export const additionLimit =
  (limit: Limit): LimitAdditions =>
  (account) =>
    limit('sign-in-added', account, { max: serverLimits.sign_in_additions_per_day, per: day });

/** `uuid`: of the passkey, or of the app's set-up. */
export type ReportAdded = (trx: Trx, account: string, method: { uuid: string; words: string }) => Promise<void>;

export interface AddedMethodDeps {
  clock: Clock;
  store: Pick<AccountStore, 'byUuid'>;
  links: Pick<LinkStore, 'create' | 'formerAddresses'>;
  mails: Pick<AccountEmails, 'send' | 'url'>;
  /** The account's time zone, for times in words. */
  zoneOf(account: string, trx: Trx): Promise<string>;
}

interface AddedMethodFacts {
  what: string;
  time: Date;
  zone: string;
  /** Removes it, without a login. */
  url: string;
}

/** For the holder alone: the link must reach no guardian. */
function addedMethodEmail({ what, time, zone, url }: AddedMethodFacts): WrittenEmail {
  return writeEmail({
    subject: `New way to log in: ${what}`,
    heading: `Someone added ${what} to log in with`,
    paragraphs: [
      `This happened at ${momentInWords(time, zone)}. It can now be used to log in to the account.`,
      'If this was you, there’s nothing to do. If not, or if someone on the phone asked you to add it, hang up and press the button. You don’t need to log in.',
      'The button works once, for 7 days. It removes what was added, and logs everyone out.',
    ],
    button: { label: 'Remove it', url },
  });
}

/**
 * Emails the holder a link that removes what was just added: a scammer at the holder's computer could otherwise lock the holder out for good
 * (P13.1). A former address that can still take the account back gets it too, since the scammer may have changed the address before.
 */
export function addedMethodReports({ clock, store, links, mails, zoneOf }: AddedMethodDeps): ReportAdded {
  return async (trx, account, { uuid, words }) => {
    const { email } = await store.byUuid(account, trx);
    const facts = { what: words, time: clock.now(), zone: await zoneOf(account, trx) };
    for (const address of new Set([email, ...(await links.formerAddresses(trx, account))])) {
      const token = await links.create(trx, { uuid: account, email: address }, 'remove', { about: uuid });
      await mails.send(trx, address, addedMethodEmail({ ...facts, url: mails.url(`/remove-sign-in/${token}`) }), undefined, 'urgent');
    }
  };
}
