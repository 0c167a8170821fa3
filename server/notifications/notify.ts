import type { Channel } from '@porchlight/contract/alerts.ts';
import type { PushMessage } from '@porchlight/contract/push.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../db/open.ts';
import type { Kernel } from '../kernel.ts';
import { after } from '../lib/clock.ts';
import type { Notify, OptOutLookup } from '../ports.ts';
import { oneSmsFrom } from '../texts/sms-text.ts';
import { quoteFacts, quoterOf } from './quoted-facts.ts';
import type { Rename } from './renames.ts';
import { lastSmsToday } from './render/fallback.ts';
import { pushOf } from './render/push.ts';
import { render } from './render/render.ts';
import type { Category, DeliveryRule, Message } from './render/rendering.ts';

/** `phone`: E.164; null without a verified number, or while SMS are off. */
export interface ActiveGuardian {
  uuid: string;
  name: string;
  email: string;
  mail: boolean;
  weekly: boolean;
  every_week: boolean;
  /** When they unsubscribed in an incident, after which `mail` is false; null if they did not. */
  mail_ends: Date | null;
  phone: string | null;
  phone_verified_time: Date | null;
  link: string;
}

export interface NotifierDeps extends Pick<Kernel, 'clock' | 'enqueue'> {
  dashboard_url: string;
  holderOf(
    account: string,
    trx: Trx,
  ): Promise<{ uuid: string; name: string; email: string; phone_number: string | null; phone_number_verified: boolean }>;
  /** The renames that messages do not follow yet (P18.1). */
  renamesOf(account: string, trx: Trx): Promise<Rename[]>;
  settingsOf(account: string, trx: Trx): Promise<{ mail: boolean; sms: boolean }>;
  activeGuardians(account: string, trx: Trx): Promise<ActiveGuardian[]>;
  optedOut: OptOutLookup;
  smsSince(trx: Trx, account: string, categories: Category[], since: Date): Promise<number>;
  /** Stored in the transaction that queues the job. */
  expect(trx: Trx, delivery: Expected): Promise<void>;
  /** The one-click unsubscribe URL (RFC 8058); null for emails about one's own account. */
  unsubscribe(category: Category, person: { account: string; guardian: string | null }): string | null;
  sms: boolean;
  /**
   * The people of an account who get push messages, by uuid: their browsers' push service, null for several. `off` needs no look-up.
   */
  pushServicesOf: ((account: string, trx: Trx) => Promise<Map<string, string | null>>) | 'off';
}

export interface Expected {
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
  uuid: string;
  guardian: string | null;
  name: string;
  email: string | null;
  phone: string | null;
  message: Message;
}

/** A push message for a recipient, and the service of their browsers; null for several. */
interface RecipientPush {
  message: PushMessage;
  service: string | null;
}

/** Only verified numbers that have not opted out get SMS. */
export function notifier(deps: NotifierDeps): Notify {
  return async (trx, account, notification) => {
    const quoter = quoterOf(account, await deps.renamesOf(account, trx));
    const { delivery, toHolder, toGuardian } = render(quoteFacts(notification, quoter));
    const holder = await deps.holderOf(account, trx);
    const holder_name = quoter.name(holder.name, 'holder');
    const settings = await deps.settingsOf(account, trx);
    const guardians = await deps.activeGuardians(account, trx);
    const isWeekly = delivery.category === 'weekly';
    // Only alerts come until the incident is over.
    const takesMail = ({ mail, weekly, mail_ends }: ActiveGuardian) => mail && (!isWeekly || (weekly && mail_ends === null));
    const phoneOf = (number: string | null) => (deps.sms ? number : null);
    const recipients: Recipient[] = [
      {
        uuid: account,
        guardian: null,
        name: holder.name,
        email: settings.mail || delivery.always ? holder.email : null,
        phone: phoneOf(settings.sms && holder.phone_number_verified ? holder.phone_number : null),
        message: toHolder({ uuid: account, name: holder_name, dashboard_url: deps.dashboard_url }),
      },
      ...guardians.map(
        (guardian): Recipient => ({
          uuid: guardian.uuid,
          guardian: guardian.uuid,
          name: guardian.name,
          email: takesMail(guardian) ? guardian.email : null,
          phone: phoneOf(guardian.phone),
          message: toGuardian({ ...guardian, name: quoter.name(guardian.name, 'guardian'), holder_name }),
        }),
      ),
    ];
    const pushes = await pushesFor(trx, deps, account, delivery, recipients);
    const numbers = recipients.flatMap(({ phone }) => phone ?? []);
    const optedOut = await deps.optedOut(numbers, trx);
    const takesSms = ({ phone, message }: Recipient) => phone !== null && message.sms !== null && !optedOut.has(phone);
    // A device that floods its account with alerts costs emails, but a limited number of SMS (P11.5).
    let smsRemaining = recipients.some(takesSms) ? await smsLeft(trx, deps, account, delivery) : 0;
    for (const recipient of recipients) {
      const sms = takesSms(recipient) && smsRemaining > 0;
      if (sms) smsRemaining -= 1;
      const message = sms ? recipient.message : { ...recipient.message, sms: null };
      await queueFor(trx, deps, account, delivery, { ...recipient, message }, smsRemaining === 0);
      const push = pushes.get(recipient.uuid);
      if (push) await queuePush(trx, deps, account, delivery, recipient, push);
    }
  };
}

/** By the recipient's uuid. One query for all of them, and none if the notification is not sent by push. */
async function pushesFor(
  trx: Trx,
  { pushServicesOf }: NotifierDeps,
  account: string,
  delivery: DeliveryRule,
  recipients: Recipient[],
): Promise<Map<string, RecipientPush>> {
  const pushes = new Map<string, RecipientPush>();
  if (pushServicesOf === 'off') return pushes;
  const messages = recipients.flatMap(({ uuid, message }) => {
    const push = pushOf(message, delivery);
    return push ? { uuid, push } : [];
  });
  if (!messages.length) return pushes;
  const services = await pushServicesOf(account, trx);
  for (const { uuid, push } of messages) {
    const service = services.get(uuid);
    if (service !== undefined) pushes.set(uuid, { message: push, service });
  }
  return pushes;
}

/** Separate limits, so that a flood of one category does not silence the others. */
export async function smsLeft(
  trx: Trx,
  deps: Pick<NotifierDeps, 'clock' | 'smsSince'>,
  account: string,
  { category, reserve }: Pick<DeliveryRule, 'category' | 'reserve'>,
): Promise<number> {
  const separate: Category[] = ['act'];
  const categories: Category[] = separate.includes(category) ? separate : ['alert', 'scan', 'drill', 'outage', 'weekly'];
  const sentCount = await deps.smsSince(trx, account, categories, after(deps.clock.now(), -24 * 3_600_000));
  const smsMax = serverLimits.alert_texts_per_day + (reserve ? serverLimits.activity_texts_reserved : 0);
  return Math.max(0, smsMax - sentCount);
}

/** A job's key is `category:about:person:channel`. */
const keyOf = ({ category, about }: DeliveryRule, person: string, channel: Channel) => `${category}:${about}:${person}:${channel}`;

const happenedOf = ({ happened }: DeliveryRule) => happened && { time: happened.time.toISOString(), time_zone: happened.time_zone };

/** One job for all browsers of a person, whatever they chose for emails and texts: they switched these on in the browser itself. */
async function queuePush(
  trx: Trx,
  deps: NotifierDeps,
  account: string,
  delivery: DeliveryRule,
  { uuid, guardian, name }: Recipient,
  { message, service }: RecipientPush,
) {
  const { category, about, urgency } = delivery;
  const key = keyOf(delivery, uuid, 'push');
  const happened = happenedOf(delivery);
  const until = after(deps.clock.now(), serverLimits.push_life).toISOString();
  const job = { account, guardian, service, message, until, ...(happened ? { happened } : {}) };
  if (await deps.enqueue(trx, 'push', key, job, undefined, { urgency }))
    await deps.expect(trx, { key, account, kind: category, about, guardian, name, channel: 'push' });
}

/** `isLast`: the SMS mentions that it is the last of the day. */
async function queueFor(trx: Trx, deps: NotifierDeps, account: string, delivery: DeliveryRule, recipient: Recipient, isLast: boolean) {
  const { category, about, urgency } = delivery;
  const { guardian, name, email, phone, message } = recipient;
  const happened = happenedOf(delivery);
  const key = (channel: Channel) => keyOf(delivery, recipient.uuid, channel);
  const note = (channel: Channel) => deps.expect(trx, { key: key(channel), account, kind: category, about, guardian, name, channel });
  if (email !== null && message.email) {
    const unsubscribe = deps.unsubscribe(category, { account, guardian });
    const lateContent = happened && { happened: { ...happened, ...(message.late ? { late_email: message.late.email } : {}) } };
    const { subject, html, text } = message.email;
    const mail = { to: email, subject, html, text, ...(unsubscribe ? { unsubscribe } : {}), ...lateContent };
    if (await deps.enqueue(trx, 'mail', key('mail'), mail, undefined, { urgency })) await note('mail');
  }
  if (phone !== null && message.sms) {
    const lateContent = happened && { happened: { ...happened, ...(message.late ? { text: message.late.sms } : {}) } };
    const body = oneSmsFrom(message.sms, isLast ? lastSmsToday : null);
    if (await deps.enqueue(trx, 'sms', key('sms'), { to: phone, body, notification: true, ...lateContent }, undefined, { urgency }))
      await note('sms');
  }
}
