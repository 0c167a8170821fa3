import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountEmails } from './features/accounts/account-emails.ts';
import type { SendPush } from './features/push/send.ts';
import { type Mailer, MailFailed } from './integrations/mail/mail.ts';
import { PushFailed, PushGone, PushRefused, type PushSender } from './integrations/push/push.ts';
import { SmsFailed, SmsRefused, type SmsSender } from './integrations/sms/sms.ts';
import { CallFailed, CallRefused, type VoiceCaller } from './integrations/voice/voice.ts';
import { Unsent } from './jobs/unsent.ts';
import { type JobHandlers, PermanentJobError } from './jobs/worker.ts';
import type { Clock } from './lib/clock.ts';
import { requestId } from './lib/request-context.ts';
import type { CallOutcome } from './notifications/calls/call-job.ts';
import type { Budgets } from './texts/budgets.ts';
import { lateMail, lateText } from './texts/late-message.ts';
import { type Countries, isInCountries } from './texts/phone.ts';

export interface HandlerDeps {
  clock: Clock;
  mailer: Mailer;
  smsSender: SmsSender;
  phones: {
    optedOut(number: string): Promise<boolean>;
    setOptedOut(number: string, out: boolean): Promise<unknown>;
    endCarrierOptOut(number: string): Promise<unknown>;
  };
  mails: Pick<AccountEmails, 'reset' | 'change' | 'passwordKnown'>;
  budgets: Pick<Budgets, 'spend' | 'giveBack'>;
  countries: Countries;
  hostname: string;
}

/** Otherwise a slower reply would reveal that an address exists (P2.2). */
export const answerFirst = () => sleep(30);

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
      const content = happened ? lateMail(mail, happened, clock.now()) : mail;
      await mailer
        .send({ message_id: `${id}@${hostname}`, request_id: requestId(), ...mail, ...content, urgency })
        .catch((err: unknown) => {
          if (!(err instanceof MailFailed)) throw err;
          const { fault, facts, message } = err;
          throw new Unsent(fault, mail.to, message, { facts, why: fault === 'address' ? 'no_address' : 'refused' });
        });
    },
    sms: async ({ to, body, until, notification, happened, operator }, id) => {
      if (until && new Date(until) <= clock.now()) throw new PermanentJobError('it came too late to be of use', 'too_late');
      if (smsSender.from === null) throw new PermanentJobError('texts are switched off');
      if (notification && (await phones.optedOut(to))) throw new PermanentJobError('the number has asked for no texts', 'opted_out');
      if (!operator && !isInCountries(countries, to)) throw new PermanentJobError('no texts go to that country', 'country');
      // An SMS with a code was counted when the code was requested.
      if (notification && !(await budgets.spend('alerts'))) throw new PermanentJobError('the texts of today are used up', 'budget');
      const content = happened ? lateText(body, happened, clock.now()) : body;
      await smsSender.send({ id, to, body: content }).catch(async (err: unknown) => {
        if (notification) await budgets.giveBack('alerts');
        if (err instanceof SmsFailed) throw new Unsent(err.fault, to, err.message, { facts: err.facts });
        if (!(err instanceof SmsRefused)) throw err;
        if (err.reason === 'refused') throw new Unsent('address', to, err.message, { why: 'refused' });
        await phones.setOptedOut(to, true);
        throw new PermanentJobError(err.message, err.reason);
      });
      // A notification does not end an opt-out: a STOP may have arrived while it was on its way.
      if (!notification && !operator) await phones.endCarrierOptOut(to);
    },
    account_mail: async (job, id) => {
      await answerFirst();
      if ('reset_for' in job) await mails.reset(job.reset_for, id);
      else if ('change_of' in job) await mails.change(job.change_of, id);
      else await mails.passwordKnown(job.password_known_of, id);
    },
  };
}

/** The sender's errors as outcomes, since one browser of a person says nothing about the others. */
export const pushOutcomes =
  (sender: Pick<PushSender, 'send'>, log: { warn(o: object, m: string): void }): SendPush =>
  async (subscription, message, { ttl, urgent }) => {
    try {
      await sender.send({ subscription, message, ttl, urgency: urgent ? 'high' : 'normal' });
      return 'taken';
    } catch (err) {
      if (!(err instanceof PushGone || err instanceof PushRefused || err instanceof PushFailed)) throw err;
      if (err instanceof PushGone) return 'gone';
      // An operator needs the status, which the job's own error does not have.
      log.warn({ reason: err.message }, 'a push message was not taken');
      return err instanceof PushRefused ? 'refused' : { retry_after: err.retry_after };
    }
  };

/** The service's errors as outcomes of a call. */
export const callOutcomes =
  (caller: Pick<VoiceCaller, 'call'>) =>
  async (call: { id: string; to: string }): Promise<CallOutcome> => {
    try {
      await caller.call(call);
      return { kind: 'taken' };
    } catch (err) {
      if (err instanceof CallRefused) return { kind: 'refused', message: err.message };
      if (err instanceof CallFailed) return { kind: 'failed', reason: new Unsent(err.fault, call.to, err.message, { facts: err.facts }) };
      throw err;
    }
  };
