import { comfort, hangUpIfAsked } from '@porchlight/contract/advice.ts';
import { type ErrorCode, errors } from '@porchlight/contract/errors.ts';
import { pastRequestSentence } from '@porchlight/contract/words/requests.ts';
import { moneyRests } from '@porchlight/contract/words/waiting.ts';
import { type AtComputer, callButton } from '../../../texts/at-computer.ts';
import { type Email, writeEmail } from '../../../texts/email.ts';
import { momentInWords } from '../../../texts/formatting.ts';
import { shortSms } from '../../../texts/short-text.ts';
import { lateSms } from '../late-sms.ts';
import { type Message, noMessage, type Rendering } from '../rendering.ts';
import {
  afterColon,
  askByPhone,
  callInFew,
  guardianReads,
  headline,
  headlineInText,
  holderReads,
  type RequestFacts,
  type RequestReader,
  requestDelivery,
  whomToCall,
  withOthers,
} from './wording.ts';

type Shorten = (name: string) => string;

/** What became of a held request, in the words for one reader. */
interface Outcome {
  /** Like `Bob said no`. */
  result(name: Shorten): string;
  /** For an SMS sent long after the event, which has little space; default: the same. */
  lateResult?: string;
  /** What was done at the time of the facts, like `Bob answered`. */
  done: string;
  meaning: string;
  /** For an email sent long after the event; default: the same. */
  lateMeaning?: string | undefined;
  advice: string;
  button?: string;
  /** For the SMS; empty if the result is enough. */
  shortMeaning?: string;
  /** For the SMS, before whom to call; default: `Not expected?` */
  question?: string;
}

function email(facts: RequestFacts, reader: RequestReader, outcome: Outcome, late: boolean): Email {
  const wanted = headline(facts, reader.who, pastRequestSentence);
  const result = outcome.result((full) => full);
  const done = late ? '' : ` ${outcome.done} at ${momentInWords(facts.time, facts.time_zone)}.`;
  const content = {
    ...callButton(reader.user),
    subject: `${result}: ${afterColon(wanted)}`,
    heading: `${result}.`,
    sections: [
      { title: 'What happened', text: `${wanted}.${done}` },
      { title: 'What it means', text: (late && outcome.lateMeaning) || outcome.meaning },
      { title: 'What to do now', text: outcome.advice },
    ],
    button: { label: outcome.button ?? 'See what happened', url: reader.url },
  };
  return withOthers(content, facts, reader.who, pastRequestSentence, late);
}

function message(facts: RequestFacts, reader: RequestReader, outcome: Outcome): Message {
  const { user, who } = reader;
  const todo = (name: Shorten) =>
    user ? `${outcome.question ?? 'Not expected?'} ${callInFew(user, name)}.` : 'Someone on the phone? Hang up.';
  // With the time there is no space for more than one activity.
  const firstOnly = { ...facts, activities: facts.activities.slice(0, 1) };
  return {
    email: writeEmail(email(facts, reader, outcome, false)),
    sms: shortSms((name) => {
      const wanted = headlineInText(facts, who, pastRequestSentence, name);
      return [`${outcome.result(name)}.`, wanted, outcome.shortMeaning, todo(name)].filter(Boolean).join(' ');
    }),
    late: {
      email: email(facts, reader, outcome, true),
      sms: lateSms((name) => {
        const wanted = headlineInText(firstOnly, who, pastRequestSentence, name);
        return {
          before: outcome.lateResult ?? outcome.result(name),
          after: `. ${wanted} ${user ? callInFew(user, name) : 'Someone on the phone? Hang up'}.`,
        };
      }),
    },
  };
}

/**
 * What a yes lets through. - `start`: of what waits at the computer. - `program`: a program or website, for an hour. - `lasting_program`: until it is removed. - `by_server`: a call that the server
 * makes itself. - `by_caller`: a call that only its caller can make, for ten minutes.
 */
export type LetThrough = 'start' | 'program' | 'lasting_program' | 'by_server' | 'by_caller';

const throughWords: Record<LetThrough, Pick<Outcome, 'meaning' | 'lateMeaning' | 'shortMeaning'>> = {
  start: { meaning: 'It can run now.', lateMeaning: 'It could run from then on.', shortMeaning: 'It can run now.' },
  program: {
    meaning: 'It is allowed now, for an hour.',
    lateMeaning: 'It was allowed for an hour.',
    shortMeaning: 'It is allowed for an hour.',
  },
  lasting_program: {
    meaning: 'It is allowed from now on, until someone removes it.',
    lateMeaning: 'It is allowed from then on, until someone removes it.',
    shortMeaning: 'It is allowed from now on.',
  },
  by_server: { meaning: 'We do it now.', lateMeaning: 'We did it then.', shortMeaning: 'We do it now.' },
  by_caller: {
    meaning: 'It can go through now, for ten minutes.',
    lateMeaning: 'It could go through for ten minutes.',
    shortMeaning: 'It can go through now.',
  },
};

export interface RequestAnsweredFacts extends RequestFacts {
  answer: 'yes' | 'no';
  lets: LetThrough;
  /** A first name. */
  by: string;
  /** The uuid of the account or the guardian. */
  by_person: string;
  /** The no took back all that had been let through. */
  undone: boolean;
  /** It had been let through, and not all of it can be taken back. */
  remains: boolean;
  /** The no took what waited off the allow list. */
  removed?: boolean;
}

const checkByPhone = (user: AtComputer) => `Call ${whomToCall(user)} and ask if everything is all right.`;

function answered(facts: RequestAnsweredFacts, { user }: RequestReader): Outcome {
  const { answer, lets, by } = facts;
  const done = `${by} answered`;
  if (answer === 'yes')
    return {
      result: (name) => `${name(by)} said yes`,
      done,
      ...throughWords[lets],
      advice: user
        ? `${askByPhone(user)} Not sure? Say no: a no always wins.`
        : `${hangUpIfAsked} Then ask ${by} to say no: a no always wins.`,
      ...(user ? { button: 'See it and answer' } : {}),
    };
  return {
    result: (name) => `${name(by)} said no`,
    done,
    ...afterNo(facts),
    advice: user ? checkByPhone(user) : `${hangUpIfAsked} Questions? Ask ${by}.`,
    question: 'Is all well?',
  };
}

function afterNo({
  undone,
  remains,
  removed,
  lets,
  activities,
}: RequestAnsweredFacts): Pick<Outcome, 'meaning' | 'lateMeaning' | 'shortMeaning'> {
  if (lets === 'start')
    return {
      meaning: `We end it, and it can’t run for 24 hours.${remains ? ' What it did before can’t be taken back.' : ''}`,
      lateMeaning: `We ended it, and it couldn’t run for 24 hours.${remains ? ' What it did before can’t be taken back.' : ''}`,
      shortMeaning: 'We end it.',
    };
  if (undone) return { meaning: 'It had been let through. We took that back.', shortMeaning: 'We took it back.' };
  if (remains)
    return {
      meaning: 'It was done before, and can’t all be taken back. See our email about it.',
      shortMeaning: 'It was done before.',
    };
  if (removed) return { meaning: 'It was taken off the allow list. It stays off.', shortMeaning: 'It was taken off the allow list.' };
  if (activities[0]?.kind === 'open_money') return { meaning: moneyRests, shortMeaning: 'Money pages still rest.' };
  if (lets === 'program') return { meaning: 'It stays off.', shortMeaning: 'It stays off.' };
  return {
    meaning: 'Nothing has changed. It stays as it is for 24 hours.',
    lateMeaning: 'Nothing changed.',
    shortMeaning: 'Nothing changed.',
  };
}

/** In the guardians' emails about the holder's own answer, the holder did not ask. */
const exceptFor = (reader: RequestReader, by: string): RequestReader => (reader.who === by ? { ...reader, who: 'Someone' } : reader);

export const requestAnswered: Rendering<RequestAnsweredFacts> = {
  delivery: (facts) => requestDelivery(facts, `:${facts.answer}:${facts.by_person}`),
  toHolder(facts, holder) {
    if (holder.uuid === facts.by_person) return noMessage;
    const reader = holderReads(facts, holder);
    return message(facts, reader, answered(facts, reader));
  },
  toGuardian(facts, guardian) {
    if (guardian.uuid === facts.by_person) return noMessage;
    const reader = exceptFor(guardianReads(facts, guardian), facts.by);
    return message(facts, reader, answered(facts, reader));
  },
};

export interface RequestPassedFacts extends RequestFacts {
  /** How long it waited. After an hour if nobody could answer. */
  after: 'hour' | 'day';
}

const stopByPhone = (user: AtComputer) => `Not expected? Call ${whomToCall(user)}. Say: ${comfort}`;

function passed({ after }: RequestPassedFacts, { user }: RequestReader): Outcome {
  return {
    result: () => (after === 'hour' ? 'Nobody could answer, so it went through' : 'Nobody answered, so it went through'),
    lateResult: 'It went through',
    done: 'It went through',
    meaning: `It was asked for again after ${after === 'hour' ? 'an hour' : 'a day'}, with the password.`,
    advice: user ? stopByPhone(user) : `${hangUpIfAsked} Then press See what happened.`,
  };
}

export const requestPassed: Rendering<RequestPassedFacts> = {
  delivery: (facts) => ({ ...requestDelivery(facts, ':passed'), always: true, reserve: true }),
  toHolder(facts, holder) {
    const reader = holderReads(facts, holder);
    return message(facts, reader, passed(facts, reader));
  },
  toGuardian(facts, guardian) {
    const reader = guardianReads(facts, guardian);
    return message(facts, reader, passed(facts, reader));
  },
};

export interface RequestLiftedFacts extends RequestFacts {
  lets: LetThrough;
}

const lifted = ({ lets }: RequestLiftedFacts, { user }: RequestReader): Outcome => ({
  result: () => 'Our support let it through',
  lateResult: 'Support let it through',
  done: 'Someone asked our support, and we let it through',
  meaning: throughWords[lets].meaning,
  lateMeaning: throughWords[lets].lateMeaning,
  advice: user
    ? `Not expected? Call ${whomToCall(user)}, and say no: a no always wins.`
    : 'If you didn’t ask us, or if someone on the phone told you to, hang up and write to us.',
  ...(user ? { button: 'See it and answer' } : {}),
});

export const requestLifted: Rendering<RequestLiftedFacts> = {
  delivery: (facts) => ({ ...requestDelivery(facts, ':lifted'), always: true, reserve: true }),
  toHolder(facts, holder) {
    const reader = holderReads(facts, holder);
    return message(facts, reader, lifted(facts, reader));
  },
  toGuardian(facts, guardian) {
    const reader = guardianReads(facts, guardian);
    return message(facts, reader, lifted(facts, reader));
  },
};

export interface RequestEndedFacts extends RequestFacts {
  /** `impossible`: after a yes it no longer fitted; `failure`: why. `unanswered`: the password is enough now, after an hour if nobody could answer. */
  end: { kind: 'impossible'; failure: ErrorCode } | { kind: 'unanswered'; after: 'hour' | 'day' };
}

function ended({ end }: RequestEndedFacts): Outcome {
  if (end.kind === 'impossible')
    return {
      result: () => 'It could not be done any more',
      done: '',
      meaning: errors[end.failure].words,
      advice: 'Nothing has changed. Still want it? Ask again.',
    };
  return {
    result: () => (end.after === 'hour' ? 'The wait is over' : 'Nobody has answered'),
    done: '',
    meaning: 'Your password or a passkey is enough now, for a day.',
    advice: `${hangUpIfAsked} Still want it? Do it again.`,
  };
}

/** Only the holder is notified, by email: for everybody else nothing has changed. */
export const requestEnded: Rendering<RequestEndedFacts> = {
  delivery: (facts) => ({ ...requestDelivery(facts, `:${facts.end.kind}`), urgency: 'ordinary' }),
  toHolder(facts, holder) {
    const reader = holderReads(facts, holder);
    // Without the time, as a late one, which has its own: so one text serves both.
    return { email: writeEmail(email(facts, reader, ended(facts), true)), sms: null };
  },
  toGuardian: () => noMessage,
};
