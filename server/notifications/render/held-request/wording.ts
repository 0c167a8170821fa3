import type { Person } from '@porchlight/contract/devices.ts';
import type { RequestedActivity } from '@porchlight/contract/held-requests.ts';
import { counted } from '@porchlight/contract/language.ts';
import type { requestSentence } from '@porchlight/contract/words/requests.ts';
import { type AtComputer, atComputer, callInText, nameOrThePerson, someoneElse } from '../../../texts/at-computer.ts';
import { type Email, stopLink } from '../../../texts/email.ts';
import { firstName, momentInWords } from '../../../texts/formatting.ts';
import type { DeliveryRule, Guardian, Holder } from '../rendering.ts';
import { wordsLeft } from '../word-budget.ts';

/** What all notifications about a held request contain (P10.1). */
export interface RequestFacts {
  request: string;
  /** Null if the account only asks first. */
  incident: string | null;
  /** What the call would do; at least one. */
  activities: RequestedActivity[];
  /** The name of the incident's device; empty if there is none. */
  device: string;
  /** That device's user. */
  person: Person | null;
  /** When the notified event happened: the request, the answer, or that the call was let through. */
  time: Date;
  time_zone: string;
}

/** How a message addresses its reader. */
export interface RequestReader {
  /** Who made the call, for this reader: `You`, `Someone`, or a first name. */
  who: string;
  /** Whom the reader can call; null for the holder, at their own computer. */
  user: AtComputer | null;
  isGuardian: boolean;
  /** The page about the request. */
  url: string;
  /** *Stop this*, for a guardian who is asked. */
  stop?: Email['quiet'];
}

/** The holder is `You` only where nobody else uses the computer. */
export function holderReads(
  { incident, person, device }: Pick<RequestFacts, 'incident' | 'person' | 'device'>,
  holder: Holder,
): RequestReader {
  const user = someoneElse(person, device);
  const page = incident === null ? 'profile/alerts' : `incident/${incident}`;
  return { who: user ? 'Someone' : 'You', user, isGuardian: false, url: `${holder.dashboard_url}/${page}` };
}

export function guardianReads(
  { request, person, device }: Pick<RequestFacts, 'request' | 'person' | 'device'>,
  guardian: Guardian,
): RequestReader {
  const { holder_name, link } = guardian;
  const user = atComputer(person, device, holder_name);
  return { who: firstName(holder_name), user, isGuardian: true, url: `${link}?request=${request}`, stop: stopLink(link) };
}

type Sentence = typeof requestSentence;

/** Like `Ann wants to allow AnyDesk on Den PC, and 1 more change`, without the period. */
export function headline({ activities }: RequestFacts, who: string, sentence: Sentence): string {
  const [first, ...others] = sentencesOf(activities, who, sentence);
  const more = others.length ? `, and ${counted(others.length, 'more change')}` : '';
  return `${withoutPeriod(first)}${more}`;
}

/** Like `Ann wants to allow AnyDesk on Den PC, and more.`, with names cut by `name`. */
export function headlineInText({ activities }: RequestFacts, who: string, sentence: Sentence, name: (full: string) => string): string {
  const cut = activities.map(({ kind, device, what }) => ({ kind, device: name(device), what: name(what) }));
  const [first, ...others] = sentencesOf(cut, name(who), sentence);
  return others.length ? `${withoutPeriod(first)}, and more.` : first;
}

function sentencesOf(activities: RequestedActivity[], who: string, sentence: Sentence): [string, ...string[]] {
  const [first, ...others] = activities.map((activity) => sentence(activity, who));
  if (first === undefined) throw new Error('a held request has no activity');
  return [first, ...others];
}

const withoutPeriod = (sentence: string) => sentence.replace(/\.$/, '');

/** For use after a colon. */
export const afterColon = (sentence: string): string => sentence.replace(/^(You|Someone)\b/, (who) => who.toLowerCase());

/** The longest note that `lib/late-message.ts` adds to a late email. */
const lateNote = 'This happened on Wednesday, November 21, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';

/** Adds the other activities of the call, as far as a short email has space. */
export function withOthers(email: Email, { activities }: RequestFacts, who: string, sentence: Sentence, late: boolean): Email {
  const { heading, call, sections = [], button } = email;
  const titles = [heading, call ? `${call.label} ${call.shown}` : '', ...sections.map(({ title }) => title)];
  // The button's URL and the title of the added part count as a word each.
  const around = [...titles, button?.label ?? '', 'address', 'Also'];
  const body = [...sections.map(({ text }) => text), late ? lateNote : ''];
  const [, ...others] = sentencesOf(activities, who, sentence);
  const text = wordsLeft({ body, around }).take(others.join(' '));
  return text ? { ...email, sections: [{ title: 'Also', text }, ...sections] } : email;
}

export const whenOf = ({ time, time_zone }: Pick<RequestFacts, 'time' | 'time_zone'>): string =>
  `Asked at ${momentInWords(time, time_zone)}.`;

/** For SMS: like `Call Mum: +12025550143`, and only the number if the user's name is unknown. */
export const callInFew = (user: AtComputer, name: (full: string) => string): string =>
  user.number !== null && !user.name ? `Call ${user.number}` : callInText(user, name);

/** The call button has the name of a user with a number, so a long one is not repeated. */
export const whomToCall = (user: AtComputer): string => (user.number !== null && !user.name ? 'them' : nameOrThePerson(user));
export const askByPhone = (user: AtComputer): string => `Call ${whomToCall(user)} and ask if someone on the phone wants this.`;

/** `event`: distinguishes several notifications about one request. */
export function requestDelivery({ request, time, time_zone }: RequestFacts, event = ''): DeliveryRule {
  return { category: 'act', about: `${request}${event}`, urgency: 'urgent', happened: { time, time_zone } };
}
