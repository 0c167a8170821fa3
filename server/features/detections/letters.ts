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
  device: string;
  time_zone: string;
  holder: string;
}

const say = '“You did nothing wrong. Hang up, and switch the computer off. I am with you.”';

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
        text: `Is someone on the phone? Hang up, and do not call back. Is it not your computer? Call, and say: ${say}`,
      },
    ],
    button: { label: 'See what happened', url },
  });
}

/** To a guardian: who, which device, what, blocked or not, when, what to say (P5.3). */
export function guardianAlert(facts: AlertFacts, url: string): WrittenLetter {
  const holder = firstName(facts.holder);
  return writeLetter({
    subject: `${holder} may need you: ${title(facts, facts.device)}`,
    heading: `${holder} may need you`,
    parts: [
      { title: 'What happened', text: started(facts) },
      { title: 'What we did', text: did(facts) },
      { title: 'Is it over?', text: over(facts) },
      { title: 'What to do now', text: `Call ${holder}. A scammer may be on the phone. Say: ${say}` },
    ],
    button: { label: `See how ${holder} is`, url },
  });
}

function started(facts: AlertFacts): string {
  const what = facts.certainty === 'likely' ? `What looks like ${facts.name}` : facts.name;
  const verb = facts.category === 'ScamWebsite' ? 'was opened' : 'was started';
  return `${what} ${verb} on ${facts.device} at ${momentInWords(facts.time, facts.time_zone)}.`;
}
