import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import type { Rendering } from './rendering.ts';

export function unreachedEmail(holder: string, guardian: string, url: string): WrittenEmail {
  const name = firstName(guardian);
  return writeEmail({
    subject: `${name} gets no more alerts`,
    heading: `${name} gets no more alerts`,
    paragraphs: [
      `${firstName(holder)}, your guardian ${guardian} turned emails and texts off. If something happens on one of your devices, ${name} will not know.`,
      `Ask ${name} to turn one of them on again, or name someone else.`,
    ],
    button: { label: 'See your guardians', url },
  });
}

/** A scammer switches off the guardians first, so the others get this email. */
export function guardianUnreachedEmail(holder: string, guardian: string, url: string): WrittenEmail {
  const [holderName, name] = [firstName(holder), firstName(guardian)];
  return writeEmail({
    subject: `${name} gets no more alerts about ${holderName}`,
    heading: `${name} gets no more alerts about ${holderName}`,
    paragraphs: [
      `${name} looks out for ${holderName} like you do, and turned emails and texts off. If something happens, ${name} will not know. You will.`,
      `Not expected? Call ${holderName}.`,
    ],
    button: { label: `See how ${holderName} is`, url },
  });
}

/** `holder`: undefined in an SMS to the holder. */
export function unreachedSms(guardian: string, holder?: string): string {
  return shortSms((shorten) => {
    const name = shorten(firstName(guardian));
    if (holder === undefined)
      return `${name} gets no more alerts about you. Ask ${name} to turn emails or texts on again, or name someone else.`;
    const holderName = shorten(firstName(holder));
    return `${name} gets no more alerts about ${holderName}. Not expected? Call ${holderName}.`;
  });
}

export interface UnreachedFacts {
  uuid: string;
  name: string;
  now: Date;
}

export const unreached: Rendering<UnreachedFacts> = {
  delivery: ({ uuid, now }) => ({
    category: 'act',
    about: `unreached:${uuid}:${now.toISOString()}`,
    // The guardian no longer protects the holder.
    urgency: 'urgent',
    always: true,
    reserve: true,
  }),
  toHolder: ({ name }, holder) => ({
    email: unreachedEmail(holder.name, name, `${holder.dashboard_url}/profile/guardians`),
    sms: unreachedSms(name),
  }),
  toGuardian: ({ name }, { holder_name, link }) => ({
    email: guardianUnreachedEmail(holder_name, name, link),
    sms: unreachedSms(name, holder_name),
  }),
};
