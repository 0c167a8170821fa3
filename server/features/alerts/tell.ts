import type { Channel } from '@porchlight/contract/alerts.ts';
import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { WrittenLetter } from '../../lib/letter.ts';
import { oneTextFrom } from '../../lib/texts.ts';

/** Queues news for the holder and every active guardian: by mail, and by text where a number is verified and has not opted out. Once per person and channel (P5.4), in `trx`. */
export type Tell = (trx: Trx, account: string, news: News) => Promise<void>;

export interface News {
  kind: NewsKind;
  /** What it is about (an alert's, a drill's, an act's uuid …): `kind:about:person:channel` is the key of each job. */
  about: string;
  /** null: nothing on that channel for them. A text is at most 160 GSM-7 characters (`server/lib/texts.ts`). */
  toHolder: (holder: { name: string }) => Words;
  toGuardian: (guardian: { uuid: string; name: string; holder_name: string; link: string }) => Words;
}

export type NewsKind = 'alert' | 'scan' | 'drill' | 'silence' | 'act' | 'weekly';

export interface Words {
  letter: WrittenLetter | null;
  text: string | null;
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

export interface TellParts {
  enqueue: Enqueue;
  holderOf(
    account: string,
    trx: Trx,
  ): Promise<{ uuid: string; name: string; email: string; phone_number: string | null; phone_number_verified: boolean }>;
  /** What the holder wants for themselves. */
  wishesOf(account: string, trx: Trx): Promise<{ mail: boolean; sms: boolean }>;
  activeGuardians(account: string, trx: Trx): Promise<GuardianToTell[]>;
  /** Those of the numbers that asked for no texts. */
  optedOut(numbers: string[], trx: Trx): Promise<Set<string>>;
  /** Those of the guardians who want no weekly mail. */
  weeklyOff(guardians: string[], trx: Trx): Promise<Set<string>>;
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

export function teller(parts: TellParts): Tell {
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
        { uuid: account, guardian: null, name: holder.name, email: wishes.mail ? holder.email : null, phone: holderPhone },
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
    for (const [person, words] of all) await tellOne(trx, parts, account, news, person, words, silent);
  };
}

async function tellOne(trx: Trx, parts: TellParts, account: string, news: News, person: Person, words: Words, silent: Set<string>) {
  const { kind, about } = news;
  const { guardian, name, email, phone } = person;
  const key = (channel: Channel) => `${kind}:${about}:${person.uuid}:${channel}`;
  const note = (channel: Channel) => parts.expect(trx, { key: key(channel), account, kind, about, guardian, name, channel });
  if (email !== null && words.letter) {
    const unsubscribe = parts.unsubscribe(kind, { account, guardian });
    const mail = { to: email, ...words.letter, ...(unsubscribe ? { unsubscribe } : {}) };
    if (await parts.enqueue(trx, 'mail', key('mail'), mail)) await note('mail');
  }
  if (phone !== null && words.text && !silent.has(phone)) {
    if (await parts.enqueue(trx, 'sms', key('sms'), { to: phone, body: oneTextFrom(words.text), news: true })) await note('sms');
  }
}
