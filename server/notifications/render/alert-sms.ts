import { brand } from '@porchlight/contract/brand.ts';
import { type AtComputer, atComputer, nameOrSomeone, someoneElse } from '../../texts/at-computer.ts';
import { firstName, momentInShort } from '../../texts/formatting.ts';
import type { LateSms } from '../../texts/late-message.ts';
import { shortSms } from '../../texts/short-text.ts';
import { oneSmsFrom } from '../../texts/sms-text.ts';
import type { AlertFacts } from './alert-email.ts';

type Shorten = (name: string) => string;

/** P5.3. The link is omitted first, and then long names are cut, until it fits one message: never a fact or the advice. */
export function holderAlertSms(facts: AlertFacts, url: string): string {
  const otherUser = someoneElse(facts.person, facts.device);
  if (otherUser) return otherSms(facts, otherUser, url);
  const stop = facts.site ? 'close the page' : 'turn the computer off';
  // The short advice leaves space for the link.
  const advice = facts.blocked ? 'Someone on the phone? Hang up.' : `If someone is on the phone, hang up. Then ${stop}.`;
  return oneSmsFrom(
    shortSms((name) => `${brand.name}: ${happened(facts, name)} ${advice}`),
    url,
  );
}

export function guardianAlertSms(facts: AlertFacts, holder_name: string, link: string): string {
  return otherSms(facts, atComputer(facts.person, facts.device, holder_name), link);
}

/** The SMS that are sent long after the alert, without urging. */
export function lateHolderAlertSms(facts: AlertFacts, url: string): LateSms {
  const otherUser = someoneElse(facts.person, facts.device);
  if (otherUser) return lateOtherSms(facts, otherUser, url);
  return lateText((name) => [`${brand.name}: ${describeThreat(facts, name)}`, 'If someone is on the phone, hang up.'], url);
}

export function lateGuardianAlertSms(facts: AlertFacts, holder_name: string, link: string): LateSms {
  const user = atComputer(facts.person, facts.device, holder_name);
  if (someoneElse(facts.person, facts.device)) return lateOtherSms(facts, user, link);
  return lateText(
    (name) => [`${brand.name}, for ${name(firstName(holder_name))}: ${describeThreat(facts, name)}`, 'Call, ask if all is well.'],
    link,
  );
}

/** For a reader who can call the user of that computer; a known number comes first. */
function otherSms(facts: AlertFacts, user: AtComputer, link: string): string {
  const quotedAdvice = facts.blocked ? 'Say: Hang up.' : 'Say: Hang up, turn it off.';
  const call = (name: Shorten) => `Call${user.name ? ` ${name(user.name)}` : ''}${facts.blocked ? '' : ' now'}`;
  const text = (name: Shorten) =>
    user.number === null
      ? `${brand.name}: ${nameOrSomeone(user, name)} may need you. ${happened(facts, name)} ${call(name)}. ${quotedAdvice}`
      : `${brand.name}: Call ${user.name ? `${name(user.name)}, ` : ''}${user.number}. ${quotedAdvice} ${happened(facts, name)}`;
  return oneSmsFrom(shortSms(text), facts.may_reply ? "Reply 1 if you're on it." : null, link);
}

function lateOtherSms(facts: AlertFacts, user: AtComputer, link: string): LateSms {
  const question = (name: Shorten) =>
    user.name ? `Ask ${name(user.name)} if all is well` : user.number === null ? 'Call there, ask if all is well' : 'Ask if all is well';
  const number = user.number === null ? '.' : `: ${user.number}.`;
  return lateText((name) => [`${brand.name}: ${describeThreat(facts, name)}`, `${question(name)}${number}`], link);
}

/** The longest time that `lib/late-message.ts` inserts. */
const longestMoment = 'on Nov 21 at 10:05 PM UTC, 59 minutes ago';

/** The texts before and after the time; names are short enough for the whole SMS to fit. */
function lateText(write: (name: Shorten) => [before: string, advice: string], link: string): LateSms {
  let sentences: [string, string] = ['', ''];
  shortSms((name) => {
    sentences = write(name);
    return `${sentences[0]} ${longestMoment}. ${sentences[1]}`;
  });
  return { before: sentences[0], after: `. ${sentences[1]}`, more: [link] };
}

function happened(facts: AlertFacts, name: Shorten): string {
  return `${describeThreat(facts, name)}, ${momentInShort(facts.time, facts.now, facts.time_zone)}.`;
}

function describeThreat(facts: AlertFacts, shorten: Shorten): string {
  const name = shorten(facts.name);
  const programName = facts.certainty === 'likely' ? `What looks like ${name}` : name;
  return `${programName} was ${facts.blocked ? 'blocked' : 'NOT blocked'} on ${shorten(facts.device)}`;
}
