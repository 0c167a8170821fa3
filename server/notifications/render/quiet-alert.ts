import { counted, listOf } from '@porchlight/contract/language.ts';
import { atComputer, seeHow, someoneElse } from '../../texts/at-computer.ts';
import { stopLink, type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayAndTime, firstName, momentInWords } from '../../texts/formatting.ts';
import { type AlertNotice, titles } from './alert-email.ts';
import { describeEvent, describeReaction, quietAdvice, stateInParts, title } from './alert-wording.ts';
import type { Message, Rendering } from './rendering.ts';
import { wordsLeft } from './word-budget.ts';

/** `holder`: the whole name, for a guardian; null for the holder. */
interface Reader {
  holder: string | null;
  url: string;
}

/** One email, and no call: nothing can be lost in the next minutes, unless somebody is on the phone, of whom we know nothing. */
export function quietAlert(facts: AlertNotice, { holder, url }: Reader): Message {
  const { person, device, time, time_zone, help } = facts;
  const user = holder === null ? someoneElse(person, device) : atComputer(person, device, holder);
  const heading = title(facts, device);
  const { answer } = stateInParts({ ...facts, quiet: true }, user);
  const [happened, done, advice] = [
    describeEvent(facts, device).replace(/\.$/, ` at ${momentInWords(time, time_zone)}.`),
    describeReaction(facts),
    quietAdvice(user?.name ?? null),
  ];
  const { button, quiet } = ending(holder, user ? seeHow(user, holder ?? '') : null, url);
  // The address of the button counts as a word.
  const around = [heading, button.label, 'address', ...Object.values(titles)];
  const what_it_is = wordsLeft({ around, body: [happened, done, answer, advice] }).take(help?.what_it_is ?? '', 1);
  const email = writeEmail({
    ...{ subject: heading, heading },
    sections: [
      { title: titles.happened, text: `${happened} ${what_it_is}`.trim() },
      { title: titles.done, text: done },
      { title: titles.over, text: answer },
      { title: titles.next, text: advice },
    ],
    ...{ button, ...(quiet ? { quiet } : {}) },
  });
  return { email, sms: null };
}

export interface QuietAlertsFacts {
  /** The first of the alerts. */
  alert: string;
  url: string;
  found: { name: string; device: string; site: boolean }[];
  since: Date;
  time_zone: string;
}

const namesMax = 4;

function quietEmail({ found, since, time_zone }: QuietAlertsFacts, { holder, url }: Reader): WrittenEmail {
  const devices = [...new Set(found.map(({ device }) => device))];
  const names = [...new Set(found.map(({ name }) => name))];
  const isOnlySites = found.every(({ site }) => site);
  const count = counted(found.length, isOnlySites ? 'more scam page' : 'more alert');
  const heading = `${count} on ${listOf(devices.length > namesMax ? [counted(devices.length, 'computer')] : devices)}`;
  const shown = names.slice(0, namesMax);
  const others = names.length - shown.length;
  const { button, quiet } = ending(holder, null, url);
  return writeEmail({
    subject: holder === null ? heading : `${firstName(holder)}: ${heading}`,
    heading,
    sections: [
      {
        title: titles.happened,
        text: `Since ${dayAndTime(since, time_zone)}: ${listOf([...shown, ...(others ? [counted(others, 'other')] : [])])}.`,
      },
      { title: titles.done, text: isOnlySites ? 'We kept them from opening.' : 'The page says what we did about each.' },
      {
        title: titles.next,
        text: 'Nothing right now. So many often come from one pop-up message or one bad program: look at the computer together.',
      },
    ],
    ...{ button, ...(quiet ? { quiet } : {}) },
  });
}

/** The page that shows it, and for a guardian *Stop this*. */
function ending(holder: string | null, label: string | null, url: string) {
  const button = { label: label ?? (holder === null ? 'See what happened' : `See how ${firstName(holder)} is`), url };
  return { button, quiet: holder === null ? undefined : stopLink(url) };
}

/** What came after the first quiet alerts of a day, in one email. */
export const quietAlerts: Rendering<QuietAlertsFacts> = {
  delivery: ({ alert }) => ({ category: 'alert', about: alert, urgency: 'ordinary' }),
  toHolder: (facts) => ({ email: quietEmail(facts, { holder: null, url: facts.url }), sms: null }),
  toGuardian: (facts, { holder_name, link }) => ({ email: quietEmail(facts, { holder: holder_name, url: link }), sms: null }),
};
