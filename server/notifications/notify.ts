import type { Channel } from '@porchlight/contract/alerts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../db/open.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { after, type Clock } from '../lib/clock.ts';
import { oneSmsFrom } from '../lib/sms-text.ts';
import type { Notify, OptOutLookup } from '../ports.ts';
import { render } from './render/render.ts';
import type { Category, DeliveryRule, Message } from './render/rendering.ts';

/** A guardian who has accepted. `mail`: wants emails; `phone`: E.164, null where none is verified or SMS are off. */
export interface ActiveGuardian {
  uuid: string;
  name: string;
  email: string;
  mail: boolean;
  phone: string | null;
  /** To their own page. */
  link: string;
}

export interface NotifierDeps {
  clock: Clock;
  enqueue: Enqueue;
  dashboard_url: string;
  holderOf(
    account: string,
    trx: Trx,
  ): Promise<{ uuid: string; name: string; email: string; phone_number: string | null; phone_number_verified: boolean }>;
  /** The channels that the holder wants. */
  wishesOf(account: string, trx: Trx): Promise<{ mail: boolean; sms: boolean }>;
  activeGuardians(account: string, trx: Trx): Promise<ActiveGuardian[]>;
  optedOut: OptOutLookup;
  /** The guardians among these who want no weekly email. */
  weeklyOptOuts(guardians: string[], trx: Trx): Promise<Set<string>>;
  /** How many SMS of these categories went to the people of an account since then. */
  smsSince(trx: Trx, account: string, categories: Category[], since: Date): Promise<number>;
  /** Stores a delivery that is on its way, in the same transaction. */
  expect(trx: Trx, delivery: Expected): Promise<void>;
  /** Where one click ends these emails (RFC 8058); null for emails about one's own account. */
  unsubscribe(category: Category, person: { account: string; guardian: string | null }): string | null;
  /** Whether this server sends SMS at all. */
  sms: boolean;
}

export interface Expected {
  /** Of the job. */
  key: string;
  account: string;
  kind: Category | 'invitation';
  about: string;
  /** The guardian's uuid; null for the holder. */
  guardian: string | null;
  name: string;
  channel: Channel;
}

interface Recipient {
  /** The account's or the guardian's. */
  uuid: string;
  guardian: string | null;
  name: string;
  email: string | null;
  phone: string | null;
  message: Message;
}

/** Renders a notification for the holder and every active guardian, and queues it for each by email, and by SMS where a number is verified and has not opted out. */
export function notifier(deps: NotifierDeps): Notify {
  return async (trx, account, notification) => {
    const { delivery, toHolder, toGuardian } = render(notification);
    const holder = await deps.holderOf(account, trx);
    const wishes = await deps.wishesOf(account, trx);
    const guardians = await deps.activeGuardians(account, trx);
    const uuids = guardians.map(({ uuid }) => uuid);
    const noEmail = delivery.category === 'weekly' ? await deps.weeklyOptOuts(uuids, trx) : new Set();
    const phoneOf = (number: string | null) => (deps.sms ? number : null);
    const recipients: Recipient[] = [
      {
        uuid: account,
        guardian: null,
        name: holder.name,
        email: wishes.mail || delivery.always ? holder.email : null,
        phone: phoneOf(wishes.sms && holder.phone_number_verified ? holder.phone_number : null),
        message: toHolder({ name: holder.name, dashboard_url: deps.dashboard_url }),
      },
      ...guardians.map(
        ({ uuid, name, email, mail, phone, link }): Recipient => ({
          uuid,
          guardian: uuid,
          name,
          email: mail && !noEmail.has(uuid) ? email : null,
          phone: phoneOf(phone),
          message: toGuardian({ uuid, name, holder_name: holder.name, link }),
        }),
      ),
    ];
    const numbers = recipients.flatMap(({ phone }) => phone ?? []);
    const optedOut = await deps.optedOut(numbers, trx);
    const takesSms = ({ phone, message }: Recipient) => phone !== null && message.sms !== null && !optedOut.has(phone);
    // Emails go on: a device that floods its account with alerts costs emails, and no more SMS than these (P11.5).
    let left = recipients.some(takesSms) ? await smsLeft(trx, deps, account, delivery) : 0;
    for (const recipient of recipients) {
      const sms = takesSms(recipient) && left > 0;
      if (sms) left -= 1;
      const message = sms ? recipient.message : { ...recipient.message, sms: null };
      await queueFor(trx, deps, account, delivery, { ...recipient, message }, left === 0);
    }
  };
}

/** What weakens protection is counted apart, so that a flood of one of the two does not silence the other. */
async function smsLeft(trx: Trx, deps: NotifierDeps, account: string, { category, reserve }: DeliveryRule): Promise<number> {
  const apart: Category[] = ['act'];
  const categories: Category[] = apart.includes(category) ? apart : ['alert', 'scan', 'drill', 'silence', 'weekly'];
  const sent = await deps.smsSince(trx, account, categories, after(deps.clock.now(), -24 * 3_600_000));
  const most = serverLimits.news_texts_per_day + (reserve ? serverLimits.act_texts_reserved : 0);
  return Math.max(0, most - sent);
}

/** The key of each job is `category:about:person:channel`. `last`: the SMS that use up the day say so. */
async function queueFor(trx: Trx, deps: NotifierDeps, account: string, delivery: DeliveryRule, recipient: Recipient, last: boolean) {
  const { category, about, urgency } = delivery;
  const { guardian, name, email, phone, message } = recipient;
  const happened = delivery.happened && { time: delivery.happened.time.toISOString(), time_zone: delivery.happened.time_zone };
  const key = (channel: Channel) => `${category}:${about}:${recipient.uuid}:${channel}`;
  const note = (channel: Channel) => deps.expect(trx, { key: key(channel), account, kind: category, about, guardian, name, channel });
  if (email !== null && message.email) {
    const unsubscribe = deps.unsubscribe(category, { account, guardian });
    const late = happened && { happened: { ...happened, ...(message.late ? { letter: message.late.email } : {}) } };
    const mail = { to: email, ...message.email, ...(unsubscribe ? { unsubscribe } : {}), ...late };
    if (await deps.enqueue(trx, 'mail', key('mail'), mail, undefined, { urgency })) await note('mail');
  }
  if (phone !== null && message.sms) {
    const late = happened && { happened: { ...happened, ...(message.late ? { text: message.late.sms } : {}) } };
    const body = oneSmsFrom(message.sms, last ? 'No more texts today: read your email.' : null);
    if (await deps.enqueue(trx, 'sms', key('sms'), { to: phone, body, news: true, ...late }, undefined, { urgency })) await note('sms');
  }
}
