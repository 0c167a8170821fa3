import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import { noMessage, type Rendering } from './rendering.ts';

/** A guardian whom nothing reaches any more (P11.4). `mail`, `sms`: the channels that are on, which all fail. */
export interface UnreachableFacts {
  uuid: string;
  name: string;
  mail: boolean;
  sms: boolean;
  /** When something last reached the guardian: until then the others are notified once. */
  last_sent: Date | null;
}

const failing = ({ mail, sms }: UnreachableFacts) => (mail && sms ? 'emails and texts' : mail ? 'emails' : 'texts');

function holderEmail(facts: UnreachableFacts, url: string): WrittenEmail {
  const name = firstName(facts.name);
  return writeEmail({
    subject: `We can’t reach ${name}`,
    heading: `We can’t reach ${name}`,
    paragraphs: [
      `Our ${failing(facts)} to your guardian ${facts.name} don’t arrive. If something happens on one of your devices, ${name} will not know.`,
      facts.mail
        ? `Ask ${name} for the right email address. Then remove ${name} under Guardians, and add them again.`
        : `Ask ${name} to check the phone number on their page.`,
    ],
    button: { label: 'See your guardians', url },
  });
}

function guardianEmail(facts: UnreachableFacts, holder_name: string, link: string): WrittenEmail {
  const [holder, name] = [firstName(holder_name), firstName(facts.name)];
  return writeEmail({
    subject: `We can’t reach ${name} about ${holder}`,
    heading: `We can’t reach ${name} about ${holder}`,
    paragraphs: [
      `${name} looks out for ${holder} like you do, but our ${failing(facts)} don’t arrive. If something happens, ${name} will not know. You will.`,
      `Do you know ${name}? Ask them to check it with ${holder}.`,
    ],
    button: { label: `See how ${holder} is`, url: link },
  });
}

/** `holder`: undefined in an SMS to the holder. */
function unreachableSms(facts: UnreachableFacts, holder?: string): string {
  return shortSms((shorten) => {
    const name = shorten(firstName(facts.name));
    const sentences = `${brand.name}: We can't reach ${name}. Our ${failing(facts)} don't arrive.`;
    return holder === undefined
      ? `${sentences} Open Guardians on your dashboard.`
      : `${sentences} If something happens to ${shorten(firstName(holder))}, you will hear.`;
  });
}

export const unreachable: Rendering<UnreachableFacts> = {
  delivery: ({ uuid, last_sent }) => ({
    category: 'act',
    about: `unreachable:${uuid}:${last_sent?.toISOString() ?? 'never'}`,
    urgency: 'ordinary',
    // The guardian no longer protects the holder.
    always: true,
    reserve: true,
  }),
  toHolder: (facts, { dashboard_url }) => ({
    email: holderEmail(facts, `${dashboard_url}/profile/guardians`),
    sms: unreachableSms(facts),
  }),
  toGuardian: (facts, { uuid, holder_name, link }) =>
    uuid === facts.uuid ? noMessage : { email: guardianEmail(facts, holder_name, link), sms: unreachableSms(facts, holder_name) },
};
