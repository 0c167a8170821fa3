import { type AlertFacts, guardianAlert, holderAlert, lateGuardianAlert, lateHolderAlert } from './alert-email.ts';
import { guardianAlertSms, holderAlertSms, lateGuardianAlertSms, lateHolderAlertSms } from './alert-sms.ts';
import type { Rendering } from './rendering.ts';

export interface AlertNotice extends AlertFacts {
  uuid: string;
  url: string;
}

export const alert: Rendering<AlertNotice> = {
  delivery: ({ uuid, time, time_zone }) => ({ category: 'alert', about: uuid, urgency: 'urgent', happened: { time, time_zone } }),
  toHolder: (facts) => ({
    email: holderAlert(facts, facts.url),
    sms: holderAlertSms(facts, facts.url),
    late: { email: lateHolderAlert(facts, facts.url), sms: lateHolderAlertSms(facts, facts.url) },
  }),
  toGuardian: (facts, { holder_name, link }) => ({
    email: guardianAlert(facts, holder_name, link),
    sms: guardianAlertSms(facts, holder_name, link),
    late: { email: lateGuardianAlert(facts, holder_name, link), sms: lateGuardianAlertSms(facts, holder_name, link) },
  }),
};
