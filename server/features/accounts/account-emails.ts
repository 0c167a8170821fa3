import type { Db, Trx } from '../../db/open.ts';
import type { Urgency } from '../../jobs/lanes.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { WrittenEmail } from '../../lib/email.ts';
import { newToken } from '../../lib/tokens.ts';
import { addressInUseEmail, changeEmail, confirmEmail, resetEmail } from './emails.ts';
import type { LinkPurpose, LinkStore } from './links.ts';
import type { AccountStore } from './store.ts';

interface Person {
  uuid: string;
  name: string;
  email: string;
}

export interface AccountEmailDeps {
  db: Db;
  store: AccountStore;
  links: LinkStore;
  enqueue: Enqueue;
  /** Where the dashboard is, without a slash at the end. */
  dashboard_url: string;
}

export type AccountEmails = ReturnType<typeof accountEmails>;

/** The mails about the account itself. */
export function accountEmails({ db, store, links, enqueue, dashboard_url }: AccountEmailDeps) {
  const url = (path: string) => `${dashboard_url}${path}`;
  const send = (trx: Trx, to: string, letter: WrittenEmail, key = newToken(), urgency?: Urgency) =>
    enqueue(trx, 'mail', `account:${key}`, { to, ...letter }, undefined, urgency && { urgency });

  /** A mail with a link in it, once for `job`: a job that runs again after its server died must not spoil the link it sent before. */
  const once = async (trx: Trx, job: string, person: Person, purpose: LinkPurpose, write: (token: string) => WrittenEmail) => {
    const token = newToken();
    // Whoever has forgotten the password waits for it at the screen.
    const urgency = purpose === 'reset' ? 'urgent' : undefined;
    if (await send(trx, person.email, write(token), job, urgency)) await links.create(trx, person, purpose, token);
  };

  return {
    url,
    send,

    async confirmation(trx: Trx, account: Person): Promise<void> {
      const token = await links.create(trx, account, 'confirm');
      await send(trx, account.email, confirmEmail(url(`/confirm-email/${token}`)));
    },

    /** To be mailed later, by a job: asking takes as long for an address that nobody has as for one that somebody has (P2.2). */
    resetLater: (trx: Trx, email: string) => enqueue(trx, 'account_mail', `account:${newToken()}`, { reset_for: email }),
    changeLater: (trx: Trx, account: string) => enqueue(trx, 'account_mail', `account:${newToken()}`, { change_of: account }),

    /** The job behind `resetLater`. */
    reset: (email: string, job: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const account = await store.byEmail(email, trx);
        if (!account) return;
        await once(trx, job, account, 'reset', (token) => resetEmail(account.name, url(`/reset-password/${token}`)));
      }),

    /** The job behind `changeLater`. Whoever has the address already hears of it; who asked does not (P2.4). */
    change: (uuid: string, job: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const account = await store.find(uuid, trx);
        if (!account?.pending_email) return;
        const owner = await store.byEmail(account.pending_email, trx);
        if (owner) await send(trx, owner.email, addressInUseEmail(owner.name, url('/login')), job);
        else {
          const person = { uuid, name: account.name, email: account.pending_email };
          await once(trx, job, person, 'change', (token) => changeEmail(url(`/confirm-email-change/${token}`)));
        }
      }),
  };
}
