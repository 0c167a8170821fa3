import {
  floodEmail,
  floodSms,
  groupedEmail,
  groupedSms,
  guardianActEmail,
  guardianActSms,
  guardianReads,
  holderActEmail,
  holderActSms,
  holderReads,
  type LoggedAct,
  removedEmail,
  removedSms,
} from './activity.ts';
import { alreadyEmailed } from './activity-meanings.ts';
import type { Rendering } from './rendering.ts';

/** An activity that weakened protection, notified separately. */
export interface WeakenedFacts {
  uuid: string;
  act: LoggedAct;
  severe: boolean;
  /** The first activity of its kind within the hour. */
  first: boolean;
  /** The uuid of a guardian who was removed. */
  removed?: string | undefined;
  /** The URL where the holder answers a request. */
  answerUrl?: string | undefined;
}

export const weakened: Rendering<WeakenedFacts> = {
  delivery: ({ uuid, act, severe, first }) => ({
    category: 'act',
    about: uuid,
    urgency: severe ? 'urgent' : 'ordinary',
    // The text about a late activity already contains the time.
    ...(act.late ? {} : { happened: { time: act.time, time_zone: act.time_zone } }),
    always: severe,
    reserve: first,
  }),
  toHolder: ({ uuid, act, severe, answerUrl }, { dashboard_url }) => ({
    email: alreadyEmailed.has(act.kind) ? null : holderActEmail(act, { dashboard: dashboard_url, uuid, answerUrl }),
    sms: severe ? holderActSms(act) : null,
  }),
  toGuardian: ({ act, severe, removed }, { uuid, name, holder_name, link }) =>
    uuid === removed
      ? { email: removedEmail(name, holder_name), sms: removedSms(holder_name) }
      : { email: guardianActEmail(act, holder_name, link), sms: severe ? guardianActSms(act, holder_name) : null },
};

/** The alarm about too many mild activities, with the newest of them, by every channel. */
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

/** One message about activities after a flood of which people were notified. */
export interface GroupedFacts {
  key: string;
  entries: LoggedAct[];
}

export const grouped: Rendering<GroupedFacts> = {
  delivery: ({ key }) => ({ category: 'act', about: key, urgency: 'ordinary' }),
  toHolder: ({ entries }, { dashboard_url }) => ({ email: groupedEmail(entries, holderReads(entries), dashboard_url), sms: null }),
  toGuardian: ({ entries }, { holder_name, link }) => ({
    email: groupedEmail(entries, guardianReads(entries, holder_name), link),
    sms: groupedSms(entries, guardianReads(entries, holder_name)),
  }),
};
