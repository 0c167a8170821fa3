import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountMails } from './features/accounts/mails.ts';
import { Hopeless, type JobHandlers } from './jobs/worker.ts';
import type { Clock } from './lib/clock.ts';
import { type Mailer, MailRefused } from './outside/mail/mail.ts';
import { type Texter, TextRefused } from './outside/sms/sms.ts';

export interface HandlerParts {
  clock: Clock;
  mailer: Mailer;
  texter: Texter;
  phones: { optedOut(number: string): Promise<boolean>; setOptedOut(number: string, out: boolean): Promise<unknown> };
  mails: Pick<AccountMails, 'reset' | 'change'>;
  /** Ours, for the Message-ID. */
  hostname: string;
}

/**
 * Whoever asked has the answer by then (an answer takes at most so many milliseconds to leave, once what it queued can be seen): work that an address
 * makes only when somebody has it must not slow that answer down (P2.2).
 */
export const answerFirst = () => sleep(30);

/** What is done with the jobs that send something. */
export function jobHandlers({
  clock,
  mailer,
  texter,
  phones,
  mails,
  hostname,
}: HandlerParts): Pick<JobHandlers, 'mail' | 'sms' | 'account_mail'> {
  return {
    mail: async (mail, id) => {
      await mailer.send({ message_id: `${id}@${hostname}`, ...mail }).catch((err: unknown) => {
        throw err instanceof MailRefused ? new Hopeless(err.message) : err;
      });
    },
    sms: async ({ to, body, until, news }, id) => {
      if (until && new Date(until) <= clock.now()) throw new Hopeless('it came too late to be of use');
      if (news && (await phones.optedOut(to))) throw new Hopeless('the number has asked for no texts', 'opted_out');
      await texter.send({ id, to, body }).catch(async (err: unknown) => {
        if (!(err instanceof TextRefused)) throw err;
        if (err.reason === 'opted_out') await phones.setOptedOut(to, true);
        throw new Hopeless(err.message, err.reason);
      });
      // Only what somebody has just asked for: a STOP that came while news was on its way must stand.
      if (!news) await phones.setOptedOut(to, false);
    },
    account_mail: async (job, id) => {
      await answerFirst();
      await ('reset_for' in job ? mails.reset(job.reset_for, id) : mails.change(job.change_of, id));
    },
  };
}
