import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { firstName } from '../../lib/formatting.ts';
import { shortSms } from '../../lib/short-text.ts';
import type { Rendering } from './rendering.ts';

/** To the holder, when a guardian gets neither emails nor SMS any more. */
export function unreachedEmail(holder: string, guardian: string, url: string): WrittenEmail {
  const name = firstName(guardian);
  return writeEmail({
    subject: `${name} gets no more alerts`,
    heading: `${name} gets no more alerts`,
    paragraphs: [
      `${firstName(holder)}, your guardian ${guardian} has switched emails and texts off. If something happens on one of your devices, ${name} will not know.`,
      `Ask ${name} to switch one of them on again, or name someone else.`,
    ],
    button: { label: 'See your guardians', url },
  });
}

/** To the other guardians: a scammer who wants no one to watch begins with the guardians. */
export function guardianUnreachedEmail(holder: string, guardian: string, url: string): WrittenEmail {
  const [who, name] = [firstName(holder), firstName(guardian)];
  return writeEmail({
    subject: `${name} gets no more alerts about ${who}`,
    heading: `${name} gets no more alerts about ${who}`,
    paragraphs: [
      `${name} looks out for ${who} like you do, and has switched emails and texts off. If something happens, ${name} will not know. You will.`,
      `Not expected? Call ${who}.`,
    ],
    button: { label: `See how ${who} is`, url },
  });
}

/** `holder`: left out when it goes to the holder. */
export function unreachedSms(guardian: string, holder?: string): string {
  return shortSms((cut) => {
    const name = cut(firstName(guardian));
    if (holder === undefined) return `${name} switched off all alerts about you. Ask ${name} to turn them on again, or name someone else.`;
    const who = cut(firstName(holder));
    return `${name} switched off all alerts about ${who}. Not expected? Call ${who}.`;
  });
}

/** A guardian who gets neither emails nor SMS any more. */
export interface UnreachedFacts {
  uuid: string;
  name: string;
  now: Date;
}

export const unreached: Rendering<UnreachedFacts> = {
  delivery: ({ uuid, now }) => ({
    category: 'act',
    about: `unreached:${uuid}:${now.toISOString()}`,
    // From now on nobody warns the person whom this guardian looked out for.
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
