import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenLetter, writeLetter } from '../../lib/email.ts';
import { firstName } from '../../lib/formatting.ts';
import { shortText } from '../../lib/short-text.ts';
import type { Rendering } from './rendering.ts';

const practice = 'This is a practice alert. Nothing happened.';

export function holderDrillLetter(url: string): WrittenLetter {
  return writeLetter({
    subject: 'Practice alert: nothing happened',
    heading: practice,
    parts: [
      { title: 'What happened', text: 'You asked for a practice. A real alert would reach you like this.' },
      { title: 'What we did', text: 'We sent this to everyone who gets your alerts.' },
      { title: 'Is it over?', text: 'Yes. Everything is as it was.' },
      { title: 'What to do now', text: 'See who was reached, on your dashboard.' },
    ],
    button: { label: 'See who was reached', url },
  });
}

export function guardianDrillLetter(name: string, holder_name: string, link: string): WrittenLetter {
  const holder = firstName(holder_name);
  return writeLetter({
    subject: `Practice alert from ${holder}: nothing happened`,
    heading: practice,
    parts: [
      { title: 'What happened', text: `${holder} tries out whether alerts reach you, ${firstName(name)}. This one did.` },
      { title: 'Is it over?', text: 'Yes. Nobody is in trouble.' },
      { title: 'What to do now', text: `Nothing. In a real alert: call ${holder}, and say “Hang up, I am with you.”` },
    ],
    button: { label: `See how ${holder} is`, url: link },
  });
}

export const holderDrillText = () => `${brand.name}: ${practice} A real alert would reach you like this.`;

export function guardianDrillText(holder_name: string): string {
  return shortText((name) => `${name(firstName(holder_name))} tries out ${brand.name}. ${practice} You need not do anything.`);
}

export interface DrillFacts {
  uuid: string;
}

export const drill: Rendering<DrillFacts> = {
  // A practice goes the way of a real alert.
  delivery: ({ uuid }) => ({ category: 'drill', about: uuid, urgency: 'urgent' }),
  toHolder: (_facts, { dashboard_url }) => ({ email: holderDrillLetter(dashboard_url), sms: holderDrillText() }),
  toGuardian: (_facts, { name, holder_name, link }) => ({
    email: guardianDrillLetter(name, holder_name, link),
    sms: guardianDrillText(holder_name),
  }),
};
