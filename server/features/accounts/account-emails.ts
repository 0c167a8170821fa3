import type { Trx } from '../../db/open.ts';
import type { Urgency } from '../../jobs/lanes.ts';
import type { Kernel } from '../../kernel.ts';
import { newToken } from '../../secrets/tokens.ts';
import type { WrittenEmail } from '../../texts/email.ts';
import { addressInUseEmail, changeEmail, confirmEmail, passwordKnownEmail, resetEmail } from './emails.ts';
import type { LinkPurpose, LinkStore } from './links.ts';
import type { AccountStore } from './store.ts';

interface Person {
  uuid: string;
  name: string;
  email: string;
}

export interface AccountEmailDeps extends Pick<Kernel, 'db' | 'enqueue'> {
  store: AccountStore;
  links: LinkStore;
  dashboard_url: string;
}

export type AccountEmails = ReturnType<typeof accountEmails>;

export function accountEmails({ db, store, links, enqueue, dashboard_url }: AccountEmailDeps) {
  const url = (path: string) => `${dashboard_url}${path}`;
  const send = (trx: Trx, recipient: string, message: WrittenEmail, key = newToken(), urgency?: Urgency) =>
    enqueue(trx, 'mail', `account:${key}`, { to: recipient, ...message }, undefined, urgency && { urgency });

  /** Queues an email with a link once per `job`: a repeated job must not invalidate the link it already sent. */
  const sendOnce = async (trx: Trx, job: string, person: Person, purpose: LinkPurpose, writeMessage: (token: string) => WrittenEmail) => {
    const token = newToken();
    // Urgent, because the user waits for the password reset.
    const urgency = purpose === 'reset' ? 'urgent' : undefined;
    if (await send(trx, person.email, writeMessage(token), job, urgency)) await links.create(trx, person, purpose, { token });
  };

  return {
    url,
    send,

    async confirmation(trx: Trx, account: Person): Promise<void> {
      const token = await links.create(trx, account, 'confirm');
      await send(trx, account.email, confirmEmail(url(`/confirm-email/${token}`)));
    },

    /** A job sends the email, so that the response takes equally long for known and unknown addresses (P2.2). */
    resetLater: (trx: Trx, email: string) => enqueue(trx, 'account_mail', `account:${newToken()}`, { reset_for: email }),
    changeLater: (trx: Trx, account: string) => enqueue(trx, 'account_mail', `account:${newToken()}`, { change_of: account }),
    passwordKnownLater: (trx: Trx, account: string) =>
      enqueue(trx, 'account_mail', `account:${newToken()}`, { password_known_of: account }),

    reset: (email: string, job: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const account = await store.byEmail(email, trx);
        if (!account) return;
        await sendOnce(trx, job, account, 'reset', (token) => resetEmail(account.name, url(`/reset-password/${token}`)));
      }),

    /** Someone knows the password, but not the second step (P13.1). */
    passwordKnown: (uuid: string, job: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const account = await store.find(uuid, trx);
        if (account) await send(trx, account.email, passwordKnownEmail(account.name, url('/forgot-password')), job);
      }),

    /** If the address belongs to another account, its owner is notified; the requester is not (P2.4). */
    change: (uuid: string, job: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const account = await store.find(uuid, trx);
        if (!account?.pending_email) return;
        const owner = await store.byEmail(account.pending_email, trx);
        if (owner) await send(trx, owner.email, addressInUseEmail(owner.name, url('/login')), job);
        else {
          const person = { uuid, name: account.name, email: account.pending_email };
          await sendOnce(trx, job, person, 'change', (token) => changeEmail(url(`/confirm-email-change/${token}`)));
        }
      }),
  };
}
