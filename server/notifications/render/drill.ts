import { comfort } from '@porchlight/contract/advice.ts';
import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import type { Rendering } from './rendering.ts';

/** A practice that arrives late must not end a real alert (P15.7). */
const realCounts = 'This says nothing about it. A real alert still counts until its own page says that it’s over.';
const practice = 'This is a practice alert. Nothing happened.';

export function holderDrillEmail(url: string): WrittenEmail {
  return writeEmail({
    subject: 'Practice alert: nothing happened',
    heading: practice,
    sections: [
      { title: 'What happened', text: 'You asked for a practice. A real alert would reach you like this.' },
      { title: 'What we did', text: 'We sent this to everyone who gets your alerts.' },
      { title: 'If you also got a real alert', text: realCounts },
      { title: 'What to do now', text: 'See who was reached, on your dashboard.' },
    ],
    button: { label: 'See who was reached', url },
  });
}

export function guardianDrillEmail(name: string, holder_name: string, link: string): WrittenEmail {
  const holder = firstName(holder_name);
  return writeEmail({
    subject: `Practice alert from ${holder}: nothing happened`,
    heading: practice,
    sections: [
      { title: 'What happened', text: `${holder} tries out whether alerts reach you, ${firstName(name)}. This one did.` },
      { title: 'If you also got a real alert', text: realCounts },
      { title: 'What to do now', text: `Nothing. In a real alert: call ${holder}, and say: ${comfort}` },
    ],
    button: { label: `See how ${holder} is`, url: link },
  });
}

export const holderDrillSms = () => `${brand.name}: ${practice} A real alert would reach you like this.`;

export function guardianDrillSms(holder_name: string): string {
  return shortSms((name) => `${name(firstName(holder_name))} tries out ${brand.name}. ${practice} There’s nothing to do.`);
}

export interface DrillFacts {
  uuid: string;
}

export const drill: Rendering<DrillFacts> = {
  // A practice alert is delivered like a real one.
  delivery: ({ uuid }) => ({ category: 'drill', about: uuid, urgency: 'urgent' }),
  toHolder: (_facts, { dashboard_url }) => ({ email: holderDrillEmail(dashboard_url), sms: holderDrillSms() }),
  toGuardian: (_facts, { name, holder_name, link }) => ({
    email: guardianDrillEmail(name, holder_name, link),
    sms: guardianDrillSms(holder_name),
  }),
};
