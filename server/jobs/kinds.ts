import type { PushMessage } from '@porchlight/contract/push.ts';
import type { Email } from '../texts/email.ts';
import type { Happened, LateSms } from '../texts/late-message.ts';

/** The job's id becomes the Message-ID. */
export interface MailJob {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** The one-click unsubscribe URL (RFC 8058); absent for emails about one's own account. */
  unsubscribe?: string;
  /** The event that a late email mentions. `late_email`: the late text; default: the same text. */
  happened?: Happened & { late_email?: Email };
}

export interface SmsJob {
  to: string;
  body: string;
  /** ISO 8601: from then on the SMS is useless and not sent. */
  until?: string;
  /** Notifications are not sent to a number that has opted out meanwhile (P5.5). */
  notification?: boolean;
  /** The event that a late SMS mentions. `text`: what to send instead when it is late, before and after the time; by default the event is added to the original text. */
  happened?: Happened & { text?: LateSms };
  /** About the whole service, to its operator: the day's budgets and the countries are for the messages of people. */
  operator?: true;
}

/** A problem of the whole service, for the operator's webhook. `problem`, `since`: which one. Nothing in it is about a person. */
export interface OperatorWebhookJob {
  text: string;
  problem: string;
  state: 'began' | 'ended';
  /** ISO 8601. */
  since: string;
  /** The computer that noticed it. */
  server: string;
  /** ISO 8601: from then on it is not sent. */
  until: string;
}

/** A message to all browsers of a person. `guardian`: null for the holder. */
export interface PushJob {
  account: string;
  guardian: string | null;
  /** The push service of all their browsers; null for several. Jobs of one service that hangs do not delay those of another. */
  service: string | null;
  message: PushMessage;
  /** ISO 8601: from then on the message is useless and not sent. */
  until: string;
  /** The event that a late message mentions. */
  happened?: Happened;
}

export interface JobKinds {
  mail: MailJob;
  sms: SmsJob;
  push: PushJob;
  /** A phone call. `call`: its id. */
  call: { call: string; to: string };
  /** Written when the job runs: a password reset for an address, an account's change of address, or a warning that someone knows the password. */
  account_mail: { reset_for: string } | { change_of: string } | { password_known_of: string };
  /** Sends the links of all guardians with this address again. */
  guardian_link: { email: string };
  /** The nightly check of all plans. `night`: ISO 8601. */
  plan_night: { night: string };
  plan_sync: { account: string };
  plan_ends: { account: string };
  /** The hourly check: outages of devices, and where it is Sunday morning. `hour`: ISO 8601. */
  hourly: { hour: string };
  /** Deletes what is old enough, part after part. `hour`: of the hourly check that began it. */
  retention: { hour: string; part: number };
  /** The daily fetch of lists of sites and renewal of definitions. `day`: ISO 8601. */
  feed_day: { day: string };
  /** Checks whether a stopped agent is running again. `since`, `due`: ISO 8601. */
  stopped_check: { device: string; since: string; due: string };
  /** The check of each minute for sudden outages. `minute`: ISO 8601. */
  outage_check: { minute: string };
  /** The weekly report of an account. `sunday`: the local date, `2026-11-22`. */
  weekly: { account: string; sunday: string };
  /** One email about several entries of the activity log. */
  activity_group: { account: string; key: string };
  /** One email about the quiet alerts that wait (P15.9). `alert`: the first of them. */
  quiet_alerts: { account: string; alert: string };
  /** Asks once how an incident went, the day after it opened. */
  incident_checkup: { incident: string };
  /** What changes when an incident has ended by itself. */
  incident_end: { incident: string };
  /** Makes the call of a held request after the yes (P15.8). */
  request_call: { request: string; account: string };
  /** Nobody has answered a held request: its holder learns what they can do. */
  request_unanswered: { request: string; account: string };
  /** A device's policy no longer treats an allowed program, or a weaker profile, with caution (P9.1). */
  first_hour_end: { account: string };
  /** The next steps of an incident's escalation. */
  escalation: { incident: string };
  /** After a delivery failed permanently: sends the notification by the other channel (P11.4). `delivery`: its key. */
  fallback: { delivery: string };
  /** A delivery to this guardian failed permanently: notifies the others if no channel reaches the guardian. */
  guardian_unreachable: { account: string; guardian: string };
  /** The next step of an account's deletion. `asked`: ISO 8601, which of its deletions. */
  account_deletion: { account: string; asked: string };
  /** Changes policies when an emergency stop or a network isolation has run out. `device`: null for all of the account. */
  emergency_end: { account: string; device: string | null };
  operator_webhook: OperatorWebhookJob;
}
