import { day, hour } from '@porchlight/contract/time.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { newToken } from '../../secrets/tokens.ts';
import type { WrittenEmail } from '../../texts/email.ts';
import type { DeletionOptions } from './deletion.ts';
import { deletionAskedEmail, deletionReminderEmail } from './deletion-email.ts';
import type { DeletionRow, DeletionStore } from './deletion-store.ts';

/** How long before the deletion the holder is reminded. */
const reminder_before = day;
/** A reminder that is later than the hourly check can make it moves the deletion, so that a day is left to stop it. */
const reminder_late = 2 * hour;

export interface DeletionRequestDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue'> {
  deletions: DeletionStore;
  store: {
    byUuid(account: string, trx: Trx): Promise<{ uuid: string; name: string; email: string; email_verified: boolean }>;
    find(account: string): Promise<object | undefined>;
  };
  links: {
    create(trx: Trx, account: { uuid: string; email: string }, purpose: 'keep'): Promise<string>;
    wasMadeAfter(trx: Trx, account: string, purpose: 'keep', time: Date): Promise<boolean>;
  };
  mails: { send(trx: Trx, recipient: string, message: WrittenEmail): Promise<unknown>; url(path: string): string };
  /** Without it every address counts as confirmed. */
  email_check: boolean;
  /** The account's time zone, for dates in words. */
  zoneOf(account: string, trx: Trx): Promise<string>;
  isInIncident(account: string, trx: Trx): Promise<boolean>;
  deleteAccount(account: string, options: DeletionOptions): Promise<unknown>;
}

export type DeletionRequests = ReturnType<typeof deletionRequests>;

/** A deletion from the request to its end: emails with a link that stops it, and an hourly check for the next step (P13.2). */
export function deletionRequests(deps: DeletionRequestDeps) {
  const { db, clock, enqueue, deletions, store, links, mails } = deps;

  /** Never to an address that was not confirmed, which may be a stranger's. Returns whether it was queued. */
  const send = async (trx: Trx, { account }: DeletionRow, write: (name: string, url: string, zone: string) => WrittenEmail) => {
    const person = await store.byUuid(account, trx);
    if (deps.email_check && !person.email_verified) return false;
    const token = await links.create(trx, person, 'keep');
    await mails.send(trx, person.email, write(person.name, mails.url(`/keep-account/${token}`), await deps.zoneOf(account, trx)));
    return true;
  };

  /** Once. False if that is done, or if no email reaches the holder. */
  const remind = async (trx: Trx, row: DeletionRow): Promise<boolean> => {
    if (await links.wasMadeAfter(trx, row.account, 'keep', after(row.deletes, -2 * reminder_before))) return false;
    const now = clock.now();
    const isLate = after(row.deletes, reminder_late - reminder_before) < now;
    const deletes = isLate ? after(now, reminder_before) : row.deletes;
    if (!(await send(trx, row, (name, url, zone) => deletionReminderEmail({ name, url, deletes, zone })))) return false;
    if (isLate) await deletions.postpone(trx, row.account, deletes);
    return true;
  };

  /** The deletion with this time of its request; another one has jobs of its own. */
  const current = async (trx: Trx, account: string, asked: string) => {
    const row = await deletions.locked(trx, account);
    return row?.asked.toISOString() === asked ? row : undefined;
  };
  const isDue = async (trx: Trx, account: string, asked: string) => {
    const row = await current(trx, account, asked);
    return row !== undefined && row.deletes <= clock.now();
  };

  return {
    /** The caller has locked the account's weakening calls, and found no deletion. */
    async ask(trx: Trx, account: string): Promise<DeletionRow> {
      const row = await deletions.add(trx, account);
      await send(trx, row, (name, url, zone) => deletionAskedEmail({ name, url, deletes: row.deletes, zone }));
      return row;
    },

    /**
     * Hourly. A deletion that an incident postponed is tried again, and so is one whose job gave up because the payment service
     * was away for long. A job that has nothing to do ends at once.
     */
    async queueSteps(): Promise<void> {
      const now = clock.now();
      for (const { account, asked } of await deletions.before(after(now, reminder_before))) {
        const payload = { account, asked: asked.toISOString() };
        await enqueue(db, 'account_deletion', `account-deletion:${newToken()}`, payload);
      }
    },

    /** Repeatable after every failure. Throws what canceling the plan at the payment service throws: nothing is deleted then. */
    async job({ account, asked }: { account: string; asked: string }): Promise<void> {
      const isNow = await db.transaction().execute(async (trx) => {
        const row = await current(trx, account, asked);
        if (!row) return false;
        const isDueNow = row.deletes <= clock.now();
        if (isDueNow && (await deps.isInIncident(account, trx))) {
          // Right after an incident nobody has time to think, so a day is left.
          await deletions.postpone(trx, account, after(clock.now(), day));
          return false;
        }
        return !(await remind(trx, row)) && isDueNow;
      });
      if (isNow) await deps.deleteAccount(account, { during_incident: false, isDue: (trx) => isDue(trx, account, asked) });
    },
  };
}
