import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountEmails } from './features/accounts/account-emails.ts';
import { type Mailer, MailFailed } from './integrations/mail/mail.ts';
import { SmsFailed, SmsRefused, type SmsSender } from './integrations/sms/sms.ts';
import { Unsent } from './jobs/unsent.ts';
import { type JobHandlers, PermanentJobError } from './jobs/worker.ts';
import type { Budgets } from './lib/budgets.ts';
import type { Clock } from './lib/clock.ts';
import { lateMail, lateText } from './lib/late-message.ts';
import { type Countries, isIn } from './lib/phone.ts';

export interface HandlerDeps {
  clock: Clock;
  mailer: Mailer;
  smsSender: SmsSender;
  phones: { optedOut(number: string): Promise<boolean>; setOptedOut(number: string, out: boolean): Promise<unknown> };
  mails: Pick<AccountEmails, 'reset' | 'change'>;
  budgets: Pick<Budgets, 'spend' | 'giveBack'>;
  /** The countries that SMS go to. */
  countries: Countries;
  /** Ours, for the Message-ID. */
  hostname: string;
}

/**
 * Waits until the caller has the answer: work that is done only for an address that exists must not slow that answer down and so reveal it (P2.2).
 */
export const answerFirst = () => sleep(30);

/** What is done with the jobs that send something. */
export function jobHandlers({
  clock,
  mailer,
  smsSender,
  phones,
  mails,
  budgets,
  countries,
  hostname,
}: HandlerDeps): Pick<JobHandlers, 'mail' | 'sms' | 'account_mail'> {
  return {
    mail: async ({ happened, ...mail }, id, { urgency }) => {
      const words = happened ? lateMail(mail, happened, clock.now()) : mail;
      await mailer.send({ message_id: `${id}@${hostname}`, ...mail, ...words, urgency }).catch((err: unknown) => {
        if (!(err instanceof MailFailed)) throw err;
        const { fault, facts, message } = err;
        throw new Unsent(fault, mail.to, message, { facts, why: fault === 'address' ? 'no_address' : 'refused' });
      });
    },
    sms: async ({ to, body, until, news, happened }, id) => {
      if (until && new Date(until) <= clock.now()) throw new PermanentJobError('it came too late to be of use', 'too_late');
      if (smsSender.from === null) throw new PermanentJobError('texts are switched off');
      if (news && (await phones.optedOut(to))) throw new PermanentJobError('the number has asked for no texts', 'opted_out');
      if (!isIn(countries, to)) throw new PermanentJobError('no texts go to that country', 'country');
      // A code was counted when it was requested.
      if (news && !(await budgets.spend('alerts'))) throw new PermanentJobError('the texts of today are used up', 'budget');
      const words = happened ? lateText(body, happened, clock.now()) : body;
      await smsSender.send({ id, to, body: words }).catch(async (err: unknown) => {
        if (news) await budgets.giveBack('alerts');
        if (err instanceof SmsFailed) throw new Unsent(err.fault, to, err.message, { facts: err.facts });
        if (!(err instanceof SmsRefused)) throw err;
        if (err.reason === 'refused') throw new Unsent('address', to, err.message, { why: 'refused' });
        await phones.setOptedOut(to, true);
        throw new PermanentJobError(err.message, err.reason);
      });
      // Only an SMS that was requested just now: a STOP that came while a notification was on its way must persist.
      if (!news) await phones.setOptedOut(to, false);
    },
    account_mail: async (job, id) => {
      await answerFirst();
      await ('reset_for' in job ? mails.reset(job.reset_for, id) : mails.change(job.change_of, id));
    },
  };
}
