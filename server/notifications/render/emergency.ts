import { bankNumber, comfort, hangUpNow, screenOff, screenQuestion } from '@porchlight/contract/advice.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { type AtComputer, atComputer, callButton, nameOrSomeone, someoneElse } from '../../texts/at-computer.ts';
import { type Email, stopLink, writeEmail } from '../../texts/email.ts';
import { firstName, momentInShort, momentInWords, timeInWords, timeWithDay } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import { callInFew, whomToCall } from './held-request/wording.ts';
import { lateSms } from './late-sms.ts';
import { type Guardian, type Holder, type Message, noMessage, type Rendering } from './rendering.ts';

interface EmergencyFacts {
  /** Null if none is open. */
  incident: string | null;
  /** The name of the device that it is about; empty if there is none. */
  device: string;
  /** That device's user. */
  person: Person | null;
  /** When it was pressed. */
  time: Date;
  time_zone: string;
}

interface PressedFacts extends EmergencyFacts {
  /** A first name. */
  by: string;
  /** The uuid of the guardian. */
  by_person: string;
}

/** A guardian's *Stop this* (P10.6). */
export interface GuardianStopFacts extends PressedFacts {
  account: string;
  until: Date;
  /** The devices whose internet was cut by the same press. */
  isolated: { device: string; until: Date }[];
}

/** *Cut the internet there*, while a stop is in force (P10.6). */
export interface IsolatedFacts extends PressedFacts {
  isolation: string;
  until: Date;
  /** Whether the user there can end it. */
  may_end: boolean;
}

/** The agent reports that the internet is not cut where a guardian wanted it (P10.6). */
export interface IsolationLostFacts extends EmergencyFacts {
  isolation: string;
  by_person: null;
}

/** *I need help now* (P9.5). */
export interface HelpFacts extends EmergencyFacts {
  /** See `helpAbout`. */
  about: string;
  /** When the stop at that computer ends. */
  until: Date;
  /** The uuid of the account if it was pressed on the dashboard; null for somebody at the computer. */
  by_person: string | null;
}

interface Reader {
  /** Whom the reader can call; null for the holder, at their own computer. */
  user: AtComputer | null;
  /** `your`, or `Ann’s`. */
  whose: string;
  url: string;
  /** The guardian's own page; null for the holder. */
  link: string | null;
}

const holderReads = ({ incident, person, device }: EmergencyFacts, { dashboard_url }: Holder): Reader => ({
  user: someoneElse(person, device),
  whose: 'your',
  url: incident === null ? dashboard_url : `${dashboard_url}/incident/${incident}`,
  link: null,
});
const guardianReads = ({ incident, person, device }: EmergencyFacts, { holder_name, link }: Guardian): Reader => ({
  user: atComputer(person, device, holder_name),
  whose: `${firstName(holder_name)}’s`,
  url: incident === null ? link : `${link}?incident=${incident}`,
  link,
});

const say = `Say: ${comfort}`;
const screen = `${screenQuestion} ${screenOff}.`;
const hangUpInText = 'Someone on the phone? Hang up.';
const happenedAt = ({ time, time_zone }: EmergencyFacts) => ({ time, time_zone });

/** The messages of one event; `facts`: for its late words. */
interface Words {
  heading: string;
  sections(late: boolean): NonNullable<Email['sections']>;
  quiet?: Email['quiet'];
  sms(name: (full: string) => string): string;
  /** Before and after the time. */
  lateSms(name: (full: string) => string): { before: string; after: string };
}

function message({ user, url }: Reader, words: Words): Message {
  const email = (late: boolean): Email => ({
    ...callButton(user),
    subject: words.heading,
    heading: `${words.heading}.`,
    sections: words.sections(late),
    button: { label: 'See what happened', url },
    ...(words.quiet ? { quiet: words.quiet } : {}),
  });
  return { email: writeEmail(email(false)), sms: shortSms(words.sms), late: { email: email(true), sms: lateSms(words.lateSms) } };
}

/** For everyone except who pressed. `aboutOf`: see `DeliveryRule`. */
function emergencyRendering<Facts extends EmergencyFacts & { by_person: string | null }>(
  aboutOf: (facts: Facts) => string,
  wordsOf: (facts: Facts, reader: Reader) => Words,
): Rendering<Facts> {
  const messageFor = (facts: Facts, uuid: string, reader: Reader) =>
    uuid === facts.by_person ? noMessage : message(reader, wordsOf(facts, reader));
  return {
    delivery: (facts) => ({
      category: 'act',
      about: aboutOf(facts),
      urgency: 'urgent',
      always: true,
      reserve: true,
      happened: happenedAt(facts),
    }),
    toHolder: (facts, holder) => messageFor(facts, holder.uuid, holderReads(facts, holder)),
    toGuardian: (facts, guardian) => messageFor(facts, guardian.uuid, guardianReads(facts, guardian)),
  };
}

const todoInText = (user: AtComputer | null, name: (full: string) => string) => (user ? `${callInFew(user, name)}.` : hangUpInText);
const todo = (user: AtComputer | null, by: string) => (user ? `Call ${whomToCall(user)}. ${say}` : `${hangUpNow} Then call ${by}.`);

function stopWords(facts: GuardianStopFacts, { user, whose }: Reader): Words {
  const { by, until, isolated, time, time_zone } = facts;
  const [first, ...more] = isolated;
  const others = more.length ? ` and ${more.length} more have` : ' has';
  const offline = first ? ` ${first.device}${others} no internet until ${timeWithDay(first.until, time, time_zone)}.` : '';
  return {
    heading: `${by} stopped everything on ${whose} computers`,
    sections: (late) => [
      { title: 'What happened', text: `${by} pressed “Stop this”${late ? '' : ` at ${momentInWords(time, time_zone)}`}.` },
      {
        title: 'What it means',
        text: `Everything on our list is stopped on every computer until ${momentInWords(until, time_zone)}, even what was allowed.${late ? '' : offline}`,
      },
      { title: 'What to do now', text: todo(user, by) },
    ],
    sms: (name) => {
      const offlineInText = first ? ` ${name(first.device)} is offline until ${momentInShort(first.until, time, time_zone)}.` : '';
      const ends = momentInShort(until, time, time_zone);
      return `${name(by)} stopped everything on ${whose === 'your' ? whose : name(whose)} computers until ${ends}.${offlineInText} ${todoInText(user, name)}`;
    },
    lateSms: (name) => ({
      before: `${name(by)} stopped everything on ${whose === 'your' ? whose : name(whose)} computers`,
      after: `. ${todoInText(user, name)}`,
    }),
  };
}

export const guardianStop = emergencyRendering<GuardianStopFacts>(
  (facts) => stopAbout(facts.incident ?? facts.account, facts.time),
  stopWords,
);

/** `about` of the notification of a stop that is in the incident's time line at `time`. */
export const stopAbout = (incident: string, time: Date): string => `${incident}:stop:${time.toISOString()}`;

/** `press`: the same for presses that people are notified of once; of an opener, its time. */
export const helpAbout = (device: string, press: string): string => `${device}:help:${press}`;

function isolatedWords({ by, device, until, may_end, time, time_zone }: IsolatedFacts, { user }: Reader): Words {
  const ends = timeWithDay(until, time, time_zone);
  const sooner = may_end ? ' Someone at that computer can end it earlier.' : '';
  return {
    heading: `${by} cut the internet on ${device}`,
    sections: (late) => [
      { title: 'What happened', text: `${by} pressed “Cut the internet there”${late ? '' : ` at ${momentInWords(time, time_zone)}`}.` },
      {
        title: 'What it means',
        text: late
          ? `The internet was to come back at ${ends}.`
          : `It comes back on its own at ${ends}.${sooner} Until then nobody can use ${device} from far away.`,
      },
      { title: 'What to do now', text: todo(user, by) },
    ],
    sms: (name) =>
      `${name(by)} cut the internet on ${name(device)} until ${momentInShort(until, time, time_zone)}. ${todoInText(user, name)}`,
    lateSms: (name) => ({ before: `${name(by)} cut the internet on ${name(device)}`, after: `. ${todoInText(user, name)}` }),
  };
}

export const isolated = emergencyRendering<IsolatedFacts>((facts) => facts.isolation, isolatedWords);

function isolationLostWords({ device, time, time_zone }: IsolationLostFacts, { user }: Reader): Words {
  return {
    heading: `${device} is still online`,
    sections: (late) => [
      {
        title: 'What happened',
        text: `Something on ${device} keeps us from cutting the internet there${late ? '' : `, since ${timeInWords(time, time_zone)}`}.`,
      },
      { title: 'What it means', text: `Someone far away may still use ${device}. We keep trying.` },
      {
        title: 'What to do now',
        text: user ? `Call ${whomToCall(user)}. ${say} Then have them turn ${device} off.` : `${hangUpNow} Then turn ${device} off.`,
      },
    ],
    sms: (name) => `${name(device)} is still online. We could not cut the internet there. ${todoInText(user, name)}`,
    lateSms: (name) => ({
      before: `${name(device)} stayed online, and we could not cut the internet there`,
      after: `. ${todoInText(user, name)}`,
    }),
  };
}

export const isolationLost = emergencyRendering<IsolationLostFacts>(({ isolation }) => `${isolation}:lost`, isolationLostWords);

function helpWords({ device, until, time, time_zone }: HelpFacts, { user, link }: Reader): Words {
  return {
    heading: user ? `${nameOrSomeone(user)} needs help now` : `You asked for help on ${device}`,
    sections: (late) => [
      {
        title: 'What happened',
        text: `Someone at ${device} pressed “I need help now”${late ? '' : ` at ${timeInWords(time, time_zone)}`}.`,
      },
      ...(late
        ? []
        : [
            {
              title: 'What we did',
              text: `Everything on our list is stopped there until ${timeWithDay(until, time, time_zone)}. We wrote to everyone.`,
            },
          ]),
      {
        title: 'What to do now',
        text: user
          ? `Call ${whomToCall(user)}${late ? '' : ' now'}. ${say} ${screen} Then call the bank together. ${bankNumber}`
          : `Hang up. ${screen} Then call the bank. ${bankNumber}`,
      },
    ],
    ...(link === null ? {} : { quiet: stopLink(link) }),
    sms: (name) =>
      user
        ? `${brand.name}: ${nameOrSomeone(user, name)} needs help now${user.name ? ` on ${name(device)}` : ''}. ${callInFew(user, name)}. Say: Hang up, turn the screen off.`
        : `${brand.name}: You asked for help on ${name(device)}. Hang up. ${screen} Then call the bank.`,
    lateSms: (name) => ({
      before: `${brand.name}: ${user ? nameOrSomeone(user, name) : 'You'} asked for help${user && !user.name ? '' : ` on ${name(device)}`}`,
      after: `. ${todoInText(user, name)}`,
    }),
  };
}

export const help = emergencyRendering<HelpFacts>((facts) => facts.about, helpWords);
