import type { Channel } from '@porchlight/contract/alerts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../db/open.ts';
import type { Urgency } from '../jobs/lanes.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { Letter, WrittenLetter } from '../lib/email.ts';
import type { LateText } from '../lib/late-message.ts';
import { oneTextFrom } from '../lib/sms-text.ts';
import type { OptOutLookup } from '../ports.ts';

/** Queues news for the holder and every active guardian: by mail, and by text where a number is verified and has not opted out. Once per person and channel (P5.4), in `trx`. */
export type Tell = (trx: Trx, account: string, news: News) => Promise<void>;

export interface News {
  kind: NewsKind;
  /** What it is about (an alert's, a drill's, an act's uuid …): `kind:about:person:channel` is the key of each job. */
  about: string;
  /** The holder gets the mail even with mails off (P10.4). Texts stay as the holder chose, and STOP always ends them (P5.5). */
  always?: boolean;
  /** null: nothing on that channel for them. A text is at most 160 GSM-7 characters (`server/lib/sms-text.ts`). */
  toHolder: (holder: { name: string }) => Words;
  toGuardian: (guardian: { uuid: string; name: string; holder_name: string; link: string }) => Words;
  /** When what it is about happened, so that what leaves late can say so. */
  happened?: { time: Date; time_zone: string };
  /** It may use the texts of the day that are kept for what nobody was texted about lately. */
  reserve?: boolean;
  /** How soon it must leave; that of its kind when it is left out. */
  urgency?: Urgency;
}

/** A practice goes the way of a real alert. */
const urgencyOf: Record<NewsKind, Urgency> = {
  alert: 'urgent',
  silence: 'urgent',
  drill: 'urgent',
  act: 'ordinary',
  scan: 'ordinary',
  weekly: 'bulk',
};

export type NewsKind = 'alert' | 'scan' | 'drill' | 'silence' | 'act' | 'weekly';

export interface Words {
  letter: WrittenLetter | null;
  text: string | null;
  /** What it says instead when it leaves long after it happened; without it the same words. */
  late?: { letter: Letter; text: LateText };
}

/** A guardian who has accepted. `mail`: wants mails; `phone`: E.164, null where none is verified or texts are off. */
export interface GuardianToTell {
  uuid: string;
  name: string;
  email: string;
  mail: boolean;
  phone: string | null;
  /** To their own page. */
  link: string;
}

export interface TellDeps {
  clock: Clock;
  enqueue: Enqueue;
  holderOf(
    account: string,
    trx: Trx,
  ): Promise<{ uuid: string; name: string; email: string; phone_number: string | null; phone_number_verified: boolean }>;
  /** What the holder wants for themselves. */
  wishesOf(account: string, trx: Trx): Promise<{ mail: boolean; sms: boolean }>;
  activeGuardians(account: string, trx: Trx): Promise<GuardianToTell[]>;
  /** Those of the numbers that asked for no texts. */
  optedOut: OptOutLookup;
  /** Those of the guardians who want no weekly mail. */
  weeklyOff(guardians: string[], trx: Trx): Promise<Set<string>>;
  /** How many texts of these kinds went to the people of an account since then. */
  textsSince(trx: Trx, account: string, kinds: NewsKind[], since: Date): Promise<number>;
  /** Notes that somebody is to be told, in the same transaction. */
  expect(trx: Trx, delivery: Expected): Promise<void>;
  /** Where one click ends these mails (RFC 8058); null for mails about one's own account. */
  unsubscribe(kind: NewsKind, person: { account: string; guardian: string | null }): string | null;
  /** Are there texts at all? */
  sms: boolean;
}

export interface Expected {
  /** Of the job. */
  key: string;
  account: string;
  kind: NewsKind | 'invitation';
  about: string;
  /** The guardian's uuid; null for the holder. */
  guardian: string | null;
  name: string;
  channel: Channel;
}

interface Person {
  /** The account's or the guardian's. */
  uuid: string;
  guardian: string | null;
  name: string;
  email: string | null;
  phone: string | null;
}

export function teller(parts: TellDeps): Tell {
  return async (trx, account, news) => {
    const holder = await parts.holderOf(account, trx);
    const wishes = await parts.wishesOf(account, trx);
    const guardians = await parts.activeGuardians(account, trx);
    const noMail =
      news.kind === 'weekly'
        ? await parts.weeklyOff(
            guardians.map((g) => g.uuid),
            trx,
          )
        : new Set();
    const phoneOf = (number: string | null) => (parts.sms ? number : null);
    const holderPhone = phoneOf(wishes.sms && holder.phone_number_verified ? holder.phone_number : null);
    const all: [Person, Words][] = [
      [
        { uuid: account, guardian: null, name: holder.name, email: wishes.mail || news.always ? holder.email : null, phone: holderPhone },
        news.toHolder({ name: holder.name }),
      ],
      ...guardians.map(({ uuid, name, email, mail, phone, link }): [Person, Words] => [
        { uuid, guardian: uuid, name, email: mail && !noMail.has(uuid) ? email : null, phone: phoneOf(phone) },
        news.toGuardian({ uuid, name, holder_name: holder.name, link }),
      ]),
    ];
    const silent = await parts.optedOut(
      all.flatMap(([{ phone }]) => phone ?? []),
      trx,
    );
    const mayText = (person: Person, words: Words) => person.phone !== null && words.text !== null && !silent.has(person.phone);
    // Mails go on: a device that floods its account with alerts costs mails, and no more texts than these (P11.5).
    let left = all.some(([person, words]) => mayText(person, words)) ? await textsLeft(trx, parts, account, news) : 0;
    for (const [person, words] of all) {
      const text = mayText(person, words) && left > 0;
      if (text) left -= 1;
      await tellOne(trx, parts, account, news, person, { ...words, text: text ? words.text : null }, left === 0);
    }
  };
}

/** Counted apart: whoever runs up one of them does not silence the other. */
async function textsLeft(trx: Trx, parts: TellDeps, account: string, { kind, reserve }: News): Promise<number> {
  const apart: NewsKind[] = ['act'];
  const kinds: NewsKind[] = apart.includes(kind) ? apart : ['alert', 'scan', 'drill', 'silence', 'weekly'];
  const sent = await parts.textsSince(trx, account, kinds, after(parts.clock.now(), -24 * 3_600_000));
  const most = serverLimits.news_texts_per_day + (reserve ? serverLimits.act_texts_reserved : 0);
  return Math.max(0, most - sent);
}

async function tellOne(trx: Trx, parts: TellDeps, account: string, news: News, person: Person, words: Words, last: boolean) {
  const { kind, about } = news;
  const options = { urgency: news.urgency ?? urgencyOf[kind] };
  const happened = news.happened && { time: news.happened.time.toISOString(), time_zone: news.happened.time_zone };
  const { guardian, name, email, phone } = person;
  const key = (channel: Channel) => `${kind}:${about}:${person.uuid}:${channel}`;
  const note = (channel: Channel) => parts.expect(trx, { key: key(channel), account, kind, about, guardian, name, channel });
  if (email !== null && words.letter) {
    const unsubscribe = parts.unsubscribe(kind, { account, guardian });
    const late = happened && { happened: { ...happened, ...(words.late ? { letter: words.late.letter } : {}) } };
    const mail = { to: email, ...words.letter, ...(unsubscribe ? { unsubscribe } : {}), ...late };
    if (await parts.enqueue(trx, 'mail', key('mail'), mail, undefined, options)) await note('mail');
  }
  if (phone !== null && words.text) {
    const late = happened && { happened: { ...happened, ...(words.late ? { text: words.late.text } : {}) } };
    const body = oneTextFrom(words.text, last ? 'No more texts today: read your email.' : null);
    if (await parts.enqueue(trx, 'sms', key('sms'), { to: phone, body, news: true, ...late }, undefined, options)) await note('sms');
  }
}
