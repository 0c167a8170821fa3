import type { CallResult, EventFacts, HowItWent } from '../incident-events.ts';
import type { EscalationView } from '../incidents.ts';
import { listOf } from '../language.ts';
import { inSentence } from '../names.ts';
import { wholeSentenceForGuardian } from './activities.ts';
import { inWordsOf, type TimesInWords } from './activity-subject.ts';
import { openerWords } from './openers.ts';
import { requestSentences } from './requests.ts';

/** The facts of one kind of event: those of the union's members that list it. */
type Facts<E extends EventFacts['event'], F = EventFacts> = F extends { event: infer K } ? (E extends K ? F : never) : never;

/** A line of the time line, for everyone. */
export function eventSentence(facts: EventFacts, times: TimesInWords): string {
  switch (facts.event) {
    case 'opened':
      return openerWords[facts.opener](facts.what, facts.device);
    case 'detection':
      return detectionSentence(facts);
    case 'activity':
      return wholeSentenceForGuardian(inWordsOf(facts, times));
    case 'requested':
    case 'passed':
    case 'done':
    case 'impossible':
    case 'undone':
    case 'lifted':
    case 'done_lifted':
      return requestWords[facts.event](requestSentences(facts, times).join(' '));
    case 'answer':
      return `${facts.name} said ${facts.answer}.`;
    case 'how':
      return `${facts.name} said: ${howWords[facts.how]}.`;
    case 'call':
    case 'person_call':
      return callSentence(facts);
    case 'over':
    case 'over_asked':
      return overSentence(facts);
    case 'second_messages':
    case 'unanswered':
    case 'ended':
      return ownWords[facts.event];
    default:
      return personWords[facts.event](facts.name);
  }
}

function detectionSentence({ name: found, category, blocked, site, times }: Facts<'detection'>): string {
  const name = inSentence(found);
  const often = times > 1 ? ` ${times} times` : '';
  if (category === 'Door') return blocked ? `We closed it again${often}: ${name}.` : `Someone opened a way in: ${name}.`;
  if (category === 'MoneySite') return `Money pages rested${often}.`;
  if (category === 'PausedSite') return `We paused ${name}${often}.`;
  if (site) return blocked ? `We blocked ${name}${often}.` : `${name} was opened${often}. We did not block it.`;
  return blocked ? `We stopped ${name}${often}.` : `${found} ran. We did not stop it.`;
}

/** `sentence`: of the request. */
const requestWords: Record<Facts<'requested'>['event'], (sentence: string) => string> = {
  requested: (sentence) => sentence,
  passed: (sentence) => `Nobody answered, and it was done with the password: ${sentence}`,
  done: (sentence) => `After the yes it was done: ${sentence}`,
  impossible: (sentence) => `It could not be done any more: ${sentence}`,
  undone: (sentence) => `The no took it back: ${sentence}`,
  lifted: (sentence) => `Support let it through: ${sentence}`,
  done_lifted: (sentence) => `After that it was done: ${sentence}`,
};

const howWords: Record<HowItWent, string> = {
  fine: 'nothing was lost',
  helped: 'it was caught in time',
  lost_money: 'money was lost',
};

const personWords: Record<Facts<'on_it'>['event'], (name: string) => string> = {
  on_it: (name) => `${name} is on it.`,
  account_on_it: (name) => `From ${name}’s account: “I’m on it.”`,
  mine: (name) => `${name} said: “It was me.”`,
  stop: (name) => `${name} stopped everything on our list, on every computer.`,
  isolated: (name) => `${name} cut the internet on this computer.`,
  isolation_lost: (name) => `Something on ${name} keeps us from cutting the internet there.`,
  isolation_back: (name) => `Something on ${name} turned the internet on again. We cut it again.`,
  reconnected: (name) => `Someone at ${name} connected it to the internet again.`,
  code_shown: (name) => `${name} opened a code for this computer.`,
};

function overSentence({ event, name, stopped_allowing }: Facts<'over'>): string {
  const start = event === 'over' ? `${name} said it’s over` : `${name} wants to end this`;
  return stopped_allowing.length ? `${start}, and stopped allowing ${listOf(stopped_allowing.map(inSentence))}.` : `${start}.`;
}

const ownWords: Record<Facts<'ended'>['event'], string> = {
  second_messages: 'Nobody had answered, so we wrote to everyone again.',
  unanswered: 'We tried everyone, and nobody has answered.',
  ended: 'This ended, because nothing more happened for a day.',
};

/** What became of a call; null while it rings. */
const resultWords: Record<CallResult, string | null> = {
  queued: null,
  ringing: null,
  pressed: 'They pressed 1.',
  answered: 'They picked up.',
  completed: 'They picked up, and did not press 1.',
  machine: 'Voicemail picked up, and we left a message.',
  busy: 'The line was busy.',
  no_answer: 'Nobody picked up.',
  failed: 'The call did not go through.',
};

function callSentence({ event, name, result }: Facts<'call'>): string {
  const whom = event === 'call' ? name : `${name} on their own phone`;
  // Calls are deleted long before their incidents.
  if (result === null) return `We called ${name}.`;
  // The user of the computer hears a warning, and has nothing to press.
  const isWarned = event === 'person_call' && result === 'completed';
  const words = isWarned ? 'They picked up, and heard our warning.' : resultWords[result];
  return words === null ? `We are calling ${whom}.` : `We called ${whom}. ${words}`;
}

/** What happens next unless somebody answers, like `we call Bob`. */
export function nextWords({ step, name }: NextStep): string {
  if (step === 'second_messages') return 'we write to everyone again';
  return step === 'call' ? `we call ${name}` : `we call ${name} on their own phone`;
}

type NextStep = Pick<NonNullable<EscalationView['next']>, 'step' | 'name'>;
