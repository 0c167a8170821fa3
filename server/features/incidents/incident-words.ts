import { inSentence } from '@porchlight/contract/names.ts';
import type { DetectionCategory } from '@porchlight/contract/shapes.ts';

interface DetectionFacts {
  name: string;
  category: DetectionCategory;
  blocked: boolean;
  site: boolean;
  times: number;
}

/** A line of the time line. */
export function detectionWords({ name: found, category, blocked, site, times }: DetectionFacts): string {
  const name = inSentence(found);
  const often = times > 1 ? ` ${times} times` : '';
  if (category === 'Door') return blocked ? `We closed it again${often}: ${name}.` : `Someone opened a way in: ${name}.`;
  if (category === 'MoneySite') return `Money pages rested${often}.`;
  if (site) return blocked ? `We blocked ${name}${often}.` : `${name} was opened${often}. We did not block it.`;
  return blocked ? `We stopped ${name}${often}.` : `${found} ran. We did not stop it.`;
}

export const eventWords = {
  on_it: (name: string) => `${name} is on it.`,
  account_on_it: (name: string) => `From ${name}’s account: “I’m on it.”`,
  mine: (name: string) => `${name} said: “It was me.”`,
  over: (name: string) => `${name} said it’s over.`,
  over_asked: (name: string) => `${name} wants to end this.`,
  stop: (name: string) => `${name} stopped everything on our list, on every computer.`,
  isolated: (name: string) => `${name} cut the internet on this computer.`,
  isolation_lost: (name: string) => `Something on ${name} keeps us from cutting the internet there.`,
  isolation_back: (name: string) => `Something on ${name} turned the internet on again. We cut it again.`,
  reconnected: (name: string) => `Someone at ${name} connected it to the internet again.`,
  code_shown: (name: string) => `${name} opened a code for this computer.`,
  how: { fine: 'nothing was lost', helped: 'it was caught in time', lost_money: 'money was lost' },
  ended: 'This ended, because nothing more happened for a day.',
  passed: (sentence: string) => `Nobody answered, and it was done with the password: ${sentence}`,
  done: (sentence: string) => `After the yes it was done: ${sentence}`,
  undone: (sentence: string) => `The no took it back: ${sentence}`,
  lifted: (sentence: string) => `Support let it through: ${sentence}`,
  done_lifted: (sentence: string) => `After that it was done: ${sentence}`,
} as const;
