import type { Category, Certainty } from '@porchlight/contract/shapes.ts';
import { type WrittenLetter, writeLetter } from '../../lib/letter.ts';
import { firstName, momentInWords } from '../../lib/words.ts';
import { did, over, title } from './rules.ts';

export interface AlertFacts {
  name: string;
  category: Category;
  blocked: boolean;
  certainty: Certainty;
  time: Date;
  /** When it is written: what is told late says the day. */
  now: Date;
  device: string;
  time_zone: string;
}

/** What to say to someone who may have the scammer on the phone: first that it is not their fault, then the one thing that stops it. */
function say({ category, blocked }: AlertFacts): string {
  const stop = category === 'ScamWebsite' && blocked ? 'close that page' : 'switch the computer off';
  return `“You did nothing wrong. Hang up, and ${stop}. I am with you.”`;
}

/** To the person who holds the account. */
export function holderAlert(facts: AlertFacts, url: string): WrittenLetter {
  return writeLetter({
    subject: title(facts, facts.device),
    heading: title(facts, facts.device),
    parts: [
      { title: 'What happened', text: started(facts) },
      { title: 'What we did', text: did(facts) },
      { title: 'Is it over?', text: over(facts) },
      {
        title: 'What to do now',
        text: `Is someone on the phone? Hang up, and do not call back. Is it not your computer? Call, and say: ${say(facts)}`,
      },
    ],
    button: { label: 'See what happened', url },
  });
}

/** To a guardian: who, which device, what, blocked or not, when, what to say (P5.3). */
export function guardianAlert(facts: AlertFacts, holder_name: string, url: string): WrittenLetter {
  const holder = firstName(holder_name);
  return writeLetter({
    subject: `${holder} may need you: ${title(facts, facts.device)}`,
    heading: `${holder} may need you`,
    parts: [
      { title: 'What happened', text: started(facts) },
      { title: 'What we did', text: did(facts) },
      { title: 'Is it over?', text: over(facts) },
      {
        title: 'What to do now',
        text: `Call ${holder}${facts.blocked ? '' : ' right now'}. A scammer may be on the phone. Say: ${say(facts)}`,
      },
    ],
    button: { label: `See how ${holder} is`, url },
  });
}

function started(facts: AlertFacts): string {
  const what = facts.certainty === 'likely' ? `What looks like ${facts.name}` : facts.name;
  const verb = facts.category === 'ScamWebsite' ? 'was opened' : 'was started';
  return `${what} ${verb} on ${facts.device} at ${momentInWords(facts.time, facts.time_zone)}.`;
}
