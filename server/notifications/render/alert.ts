import { type AlertNotice, guardianAlert, holderAlert, lateGuardianAlert, lateHolderAlert } from './alert-email.ts';
import { guardianAlertSms, holderAlertSms, lateGuardianAlertSms, lateHolderAlertSms } from './alert-sms.ts';
import { quietAlert } from './quiet-alert.ts';
import type { Rendering } from './rendering.ts';

export const alert: Rendering<AlertNotice> = {
  // A quiet one says the day in any case.
  delivery: ({ uuid, time, time_zone, quiet }) =>
    quiet
      ? { category: 'alert', about: uuid, urgency: 'ordinary' }
      : { category: 'alert', about: uuid, urgency: 'urgent', happened: { time, time_zone } },
  toHolder: (facts) =>
    facts.quiet
      ? quietAlert(facts, { holder: null, url: facts.url })
      : {
          email: holderAlert(facts, facts.url),
          sms: holderAlertSms(facts, facts.url),
          late: { email: lateHolderAlert(facts, facts.url), sms: lateHolderAlertSms(facts, facts.url) },
        },
  toGuardian: (facts, { holder_name, link }) =>
    facts.quiet
      ? quietAlert(facts, { holder: holder_name, url: link })
      : {
          email: guardianAlert(facts, holder_name, link),
          sms: guardianAlertSms(facts, holder_name, link),
          late: { email: lateGuardianAlert(facts, holder_name, link), sms: lateGuardianAlertSms(facts, holder_name, link) },
        },
};
