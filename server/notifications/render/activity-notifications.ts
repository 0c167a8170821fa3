import {
  floodEmail,
  floodSms,
  guardianActEmail,
  guardianActSms,
  guardianReads,
  holderActEmail,
  holderActSms,
  holderReads,
  type LoggedAct,
  removedEmail,
  removedSms,
  togetherEmail,
  togetherSms,
} from './activity.ts';
import { holderKnows } from './activity-sentences.ts';
import type { Rendering } from './rendering.ts';

/** An act that weakened protection, in a message of its own. */
export interface WeakenedFacts {
  /** Of the entry in the activity log. */
  uuid: string;
  act: LoggedAct;
  severe: boolean;
  /** The first of its kind within the hour. */
  first: boolean;
  /** The guardian who is removed, by uuid. */
  removed?: string | undefined;
  /** Where the holder answers a request. */
  wish?: string | undefined;
}

export const weakened: Rendering<WeakenedFacts> = {
  delivery: ({ uuid, act, severe, first }) => ({
    category: 'act',
    about: uuid,
    urgency: severe ? 'urgent' : 'ordinary',
    // The message about an act that was reported late says itself when it was done.
    ...(act.late ? {} : { happened: { time: act.time, time_zone: act.time_zone } }),
    always: severe,
    reserve: first,
  }),
  toHolder: ({ uuid, act, severe, wish }, { dashboard_url }) => ({
    email: holderKnows.has(act.kind) ? null : holderActEmail(act, { dashboard: dashboard_url, uuid, wish }),
    sms: severe ? holderActSms(act) : null,
  }),
  toGuardian: ({ act, severe, removed }, { uuid, name, holder_name, link }) =>
    uuid === removed
      ? { email: removedEmail(name, holder_name), sms: removedSms(holder_name) }
      : { email: guardianActEmail(act, holder_name, link), sms: severe ? guardianActSms(act, holder_name) : null },
};

/** There are too many mild acts: the alarm goes out with the last of them, by every channel. */
export interface FloodFacts {
  uuid: string;
  act: LoggedAct;
  count: number;
}

export const flood: Rendering<FloodFacts> = {
  delivery: ({ uuid }) => ({ category: 'act', about: uuid, urgency: 'urgent', always: true }),
  toHolder: ({ act, count }, { dashboard_url }) => ({
    email: floodEmail(act, count, holderReads([act]), dashboard_url),
    sms: floodSms(count, holderReads([act])),
  }),
  toGuardian: ({ act, count }, { holder_name, link }) => ({
    email: floodEmail(act, count, guardianReads([act], holder_name), link),
    sms: floodSms(count, guardianReads([act], holder_name)),
  }),
};

/** The acts that came after a flood, in one message; people know of the flood already. */
export interface GroupedFacts {
  key: string;
  acts: LoggedAct[];
}

export const grouped: Rendering<GroupedFacts> = {
  delivery: ({ key }) => ({ category: 'act', about: key, urgency: 'ordinary' }),
  toHolder: ({ acts }, { dashboard_url }) => ({ email: togetherEmail(acts, holderReads(acts), dashboard_url), sms: null }),
  toGuardian: ({ acts }, { holder_name, link }) => ({
    email: togetherEmail(acts, guardianReads(acts, holder_name), link),
    sms: togetherSms(acts, guardianReads(acts, holder_name)),
  }),
};
