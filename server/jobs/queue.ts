import { randomUUID } from 'node:crypto';
import { notify } from '../db/notify.ts';
import type { Db, Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import type { Email } from '../lib/email.ts';
import type { Happened, LateSms } from '../lib/late-message.ts';
import { laneOf, type Urgency } from './lanes.ts';
import { domainOf } from './unsent.ts';

/** A mail that is to go out; the job's id becomes its Message-ID. */
export interface MailJob {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Where one click ends mails of this kind (RFC 8058); left out for mails about one's own account. */
  unsubscribe?: string;
  /** Of what it is about: it says so when it leaves late. `letter`: its words then; without it the same ones. */
  happened?: Happened & { letter?: Email };
}

/** A text that is to go out. `to`: E.164. */
export interface SmsJob {
  to: string;
  body: string;
  /** ISO 8601: of no use from then on, so that it does not go out any more. */
  until?: string;
  /** Nobody asked for it just now, so it does not go to a number that has asked for no texts meanwhile (P5.5). */
  news?: boolean;
  /** Of what it is about: it says so when it leaves late. `text`: its words then, around the moment; without it the same ones. */
  happened?: Happened & { text?: LateSms };
}

/** What can be queued, by kind. */
export interface JobKinds {
  mail: MailJob;
  sms: SmsJob;
  /** A mail about an account that is written when its turn comes: a reset for whoever has this address, or the change of an account's address. */
  account_mail: { reset_for: string } | { change_of: string };
  /** The links of whoever is a guardian with this address, sent again. */
  guardian_link: { email: string };
  /** The look at all plans that there is once a night. `night`: ISO 8601. */
  plan_night: { night: string };
  /** The look at the plan of one account. */
  plan_sync: { account: string };
  /** The trial or the plan of an account ends soon. */
  plan_ends: { account: string };
  /** What is looked at once an hour: who has fallen silent, and where it is Sunday morning. `hour`: ISO 8601. */
  care_hour: { hour: string };
  /** The look at the lists of sites once a day, and at what of the definitions would end. `day`: ISO 8601. */
  feed_day: { day: string };
  /** A program was stopped: is it back? `since`, `due`: ISO 8601. */
  stopped_look: { device: string; since: string; due: string };
  /** The look of each minute: which devices fell silent without a goodbye. `minute`: ISO 8601. */
  outage_look: { minute: string };
  /** How the week of an account was. `sunday`: the date there, `2026-11-22`. */
  weekly: { account: string; sunday: string };
  /** Acts that were too many to be told one by one. */
  acts_together: { account: string; key: string };
}

/**
 * Puts a job into the same transaction as the row that caused it, so that both are there or neither (P5.4).
 * A second job with the same `unique_key` is no job, and answers false: what must happen once per person and event names both in it.
 * `run_at`: not before then; at once when it is left out. `urgency`: that of its kind when it is left out.
 */
export type Enqueue = <K extends keyof JobKinds>(
  trx: Db | Trx,
  kind: K,
  unique_key: string,
  payload: JobKinds[K],
  run_at?: Date,
  options?: { urgency?: Urgency },
) => Promise<boolean>;

export function enqueuer(clock: Clock): Enqueue {
  return async (trx, kind, unique_key, payload, run_at, { urgency } = {}) => {
    const now = clock.now();
    const lane = laneOf(kind, urgency);
    const domain = 'to' in payload ? domainOf(payload.to) : null;
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('jobs')
      .values({ id: randomUUID(), kind, unique_key, payload: JSON.stringify(payload), run_at: run_at ?? now, created: now, lane, domain })
      .onConflict((oc) => oc.column('unique_key').doNothing())
      .executeTakeFirstOrThrow();
    // What is due later is found by the poll.
    if (!run_at || run_at <= now) await notify(trx, 'jobs', lane);
    return numInsertedOrUpdatedRows === 1n;
  };
}

/** Deletes the finished jobs of a kind that were done before then: they are of no use any more once nothing with their key can come again. */
export type ForgetJobs = (kind: keyof JobKinds, before: Date) => Promise<unknown>;

export const forgetJobs =
  (db: Db): ForgetJobs =>
  (kind, before) =>
    db.deleteFrom('jobs').where('kind', '=', kind).where('done_at', '<', before).execute();
