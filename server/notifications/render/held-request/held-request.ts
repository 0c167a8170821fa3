import { hangUpIfAsked, notRude } from '@porchlight/contract/advice.ts';
import type { RequestCause } from '@porchlight/contract/held-requests.ts';
import { pastRequestSentence, requestSentence } from '@porchlight/contract/words/requests.ts';
import { causeWords, isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import { type AtComputer, callButton } from '../../../texts/at-computer.ts';
import { type Email, writeEmail } from '../../../texts/email.ts';
import type { LateSms } from '../../../texts/late-message.ts';
import { shortSms } from '../../../texts/short-text.ts';
import { lateSms } from '../late-sms.ts';
import type { Message, Rendering } from '../rendering.ts';
import {
  afterColon,
  callInFew,
  guardianReads,
  headline,
  headlineInText,
  holderReads,
  type RequestFacts,
  type RequestReader,
  requestDelivery,
  whenOf,
  whomToCall,
  withOthers,
} from './wording.ts';

/** A call that waits for a yes (P10.1). */
export interface HeldRequestFacts extends RequestFacts {
  cause: RequestCause;
  /** Whether any guardian may say yes now. */
  can_answer: boolean;
  /** The first names of those guardians, for the holder. */
  asked?: string[] | undefined;
}

function reason({ cause, device, activities }: HeldRequestFacts, { who, isGuardian }: RequestReader): string {
  if (cause === 'incident')
    return device ? `There was trouble on ${device}, and it isn’t over yet.` : 'There was trouble, and it isn’t over yet.';
  return causeWords(cause, activities[0]?.kind, isGuardian ? { who, whose: `${who}’s` } : { who: 'You', whose: 'your' });
}

/** `name`: shortens a name to fit an SMS. */
function askedNames(asked: string[] = [], name = (full: string) => full): string {
  const [first = 'your guardians', second, ...more] = asked.map(name);
  if (second === undefined) return first;
  return more.length ? 'your guardians' : `${first} and ${second}`;
}

const callFirst = (user: AtComputer) => `Call ${whomToCall(user)} first.`;

function waiting({ cause, can_answer, asked }: HeldRequestFacts, { user, isGuardian }: RequestReader): string {
  const state = isAboutProgram(cause) ? 'It stays blocked until someone says yes.' : 'Nothing has changed yet.';
  // The holder of somebody else's computer may answer even if no guardian may.
  if (user && !isGuardian) return `It waits for an answer. ${state}`;
  if (!can_answer) return 'It waits. Nobody can say yes yet.';
  return `${user ? 'It waits for your answer.' : `We asked ${askedNames(asked)}.`} ${state}`;
}

function email(facts: HeldRequestFacts, reader: RequestReader): Email {
  const wanted = headline(facts, reader.who, requestSentence);
  const { user } = reader;
  const request = !user ? 'Please wait' : facts.can_answer || !reader.isGuardian ? 'Please answer' : 'Please check';
  const call = user && `${callFirst(user)} Ask: “Is someone on the phone with you?”`;
  const content = {
    ...callButton(user),
    subject: `${request}: ${afterColon(wanted)}`,
    heading: `${wanted}.`,
    sections: [
      { title: 'What we did', text: waiting(facts, reader) },
      { title: 'Why we ask', text: `${reason(facts, reader)} ${whenOf(facts)}` },
      {
        title: 'What to do now',
        text: user ? `${call} Can’t reach ${user.name || 'them'}, or not sure? Say no.` : `${hangUpIfAsked} ${notRude}`,
      },
    ],
    button: { label: user ? 'See it and answer' : 'See what happened', url: reader.url },
    ...(reader.stop ? { quiet: reader.stop } : {}),
  };
  return withOthers(content, facts, reader.who, requestSentence, false);
}

/** The request may have an answer by now. */
function lateEmail(facts: HeldRequestFacts, reader: RequestReader): Email {
  const wanted = headline(facts, reader.who, pastRequestSentence);
  const { user } = reader;
  const content = {
    ...callButton(user),
    subject: wanted,
    heading: `${wanted}.`,
    sections: [
      { title: 'What we did', text: 'We made it wait for a yes.' },
      { title: 'Is it over?', text: 'Maybe. Press the button to see.' },
      { title: 'What to do now', text: user ? `${callFirst(user)} If it still waits and you aren’t sure, say no.` : hangUpIfAsked },
    ],
    button: { label: user ? 'See if it still waits' : 'See what happened', url: reader.url },
    ...(reader.stop ? { quiet: reader.stop } : {}),
  };
  return withOthers(content, facts, reader.who, pastRequestSentence, true);
}

function sms(facts: HeldRequestFacts, reader: RequestReader): string {
  const { user, isGuardian } = reader;
  return shortSms((name) => {
    const wanted = headlineInText(facts, reader.who, requestSentence, name);
    if (!user) {
      const asked = facts.can_answer ? `We asked ${askedNames(facts.asked, name)}.` : 'It waits for now.';
      return `${wanted} ${asked} Did someone on the phone tell you to? Hang up.`;
    }
    const call = user.number !== null && user.name ? `Call ${name(user.name)} first: ${user.number}` : `${callInFew(user, name)} first`;
    const waits = facts.can_answer ? 'It waits for you.' : 'It waits.';
    return `${wanted} ${waits} ${call}. Not sure? Say no ${isGuardian ? 'on your page' : 'in Porchlight'}.`;
  });
}

function lateText(facts: HeldRequestFacts, reader: RequestReader): LateSms {
  const { user } = reader;
  return lateSms(
    (name) => ({
      before: `${headlineInText(facts, reader.who, pastRequestSentence, name)} This was`,
      after: `. ${user ? callInFew(user, name) : 'Someone on the phone? Hang up'}.`,
    }),
    'It may be over.',
  );
}

const message = (facts: HeldRequestFacts, reader: RequestReader): Message => ({
  email: writeEmail(email(facts, reader)),
  sms: sms(facts, reader),
  late: { email: lateEmail(facts, reader), sms: lateText(facts, reader) },
});

export const heldRequest: Rendering<HeldRequestFacts> = {
  delivery: (facts) => ({ ...requestDelivery(facts), always: true, reserve: true }),
  toHolder: (facts, holder) => message(facts, holderReads(facts, holder)),
  toGuardian: (facts, guardian) => message(facts, guardianReads(facts, guardian)),
};
