import { brand } from '@porchlight/contract/brand.ts';
import { type AtComputer, atComputer, someoneElse, who } from '../../lib/at-computer.ts';
import { firstName, momentInShort } from '../../lib/formatting.ts';
import type { LateSms } from '../../lib/late-message.ts';
import { shortSms } from '../../lib/short-text.ts';
import { oneSmsFrom } from '../../lib/sms-text.ts';
import type { AlertFacts } from './alert-email.ts';

type Short = (name: string) => string;

/**
 * The SMS of an alert (P5.3): who, which device, what, blocked or not, when, and what to do. It stays one message whatever people call things: first the
 * link is left out, then long names are cut, and never a fact or the advice.
 */
export function holderAlertSms(facts: AlertFacts, url: string): string {
  const other = someoneElse(facts.person, facts.device);
  if (other) return otherSms(facts, other, url);
  const stop = facts.site ? 'close the page' : 'turn the computer off';
  // Short enough for the link to fit.
  const advice = facts.blocked ? 'Someone on the phone? Hang up.' : `If someone is on the phone, hang up. Then ${stop}.`;
  return oneSmsFrom(
    shortSms((name) => `${brand.name}: ${happened(facts, name)} ${advice}`),
    url,
  );
}

export function guardianAlertSms(facts: AlertFacts, holder_name: string, link: string): string {
  return otherSms(facts, atComputer(facts.person, facts.device, holder_name), link);
}

/** The SMS that leave long after the alert, without asking anyone to hurry. */
export function lateHolderAlertSms(facts: AlertFacts, url: string): LateSms {
  const other = someoneElse(facts.person, facts.device);
  if (other) return lateOtherSms(facts, other, url);
  return lateText((name) => [`${brand.name}: ${what(facts, name)}`, 'If someone is on the phone, hang up.'], url);
}

export function lateGuardianAlertSms(facts: AlertFacts, holder_name: string, link: string): LateSms {
  const at = atComputer(facts.person, facts.device, holder_name);
  if (someoneElse(facts.person, facts.device)) return lateOtherSms(facts, at, link);
  return lateText(
    (name) => [`${brand.name}, for ${name(firstName(holder_name))}: ${what(facts, name)}`, 'Call, ask if all is well.'],
    link,
  );
}

/** To a person who can call the one at that computer; where the number is known it comes first. */
function otherSms(facts: AlertFacts, at: AtComputer, link: string): string {
  const say = facts.blocked ? 'Say: Hang up.' : 'Say: Hang up, turn it off.';
  const call = (name: Short) => `Call${at.name ? ` ${name(at.name)}` : ''}${facts.blocked ? '' : ' now'}`;
  const text = (name: Short) =>
    at.number === null
      ? `${brand.name}: ${who(at, name)} may need you. ${happened(facts, name)} ${call(name)}. ${say}`
      : `${brand.name}: Call ${at.name ? `${name(at.name)}, ` : ''}${at.number}. ${say} ${happened(facts, name)}`;
  return oneSmsFrom(shortSms(text), link);
}

function lateOtherSms(facts: AlertFacts, at: AtComputer, link: string): LateSms {
  const ask = (name: Short) =>
    at.name ? `Ask ${name(at.name)} if all is well` : at.number === null ? 'Call there, ask if all is well' : 'Ask if all is well';
  const number = at.number === null ? '.' : `: ${at.number}.`;
  return lateText((name) => [`${brand.name}: ${what(facts, name)}`, `${ask(name)}${number}`], link);
}

/** As long as the longest moment that `lib/late.ts` puts between the two. */
const longestMoment = 'on Nov 21 at 10:05 PM UTC, 59 minutes ago';

/** The words before the moment, and the advice after it: with names so short that both have room. */
function lateText(write: (name: Short) => [before: string, advice: string], link: string): LateSms {
  let parts: [string, string] = ['', ''];
  shortSms((name) => {
    parts = write(name);
    return `${parts[0]} ${longestMoment}. ${parts[1]}`;
  });
  return { before: parts[0], after: `. ${parts[1]}`, more: [link] };
}

function happened(facts: AlertFacts, name: Short): string {
  return `${what(facts, name)}, ${momentInShort(facts.time, facts.now, facts.time_zone)}.`;
}

function what(facts: AlertFacts, short: Short): string {
  const name = short(facts.name);
  const named = facts.certainty === 'likely' ? `What looks like ${name}` : name;
  return `${named} was ${facts.blocked ? 'blocked' : 'NOT blocked'} on ${short(facts.device)}`;
}
