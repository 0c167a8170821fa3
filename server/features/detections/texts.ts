import { brand } from '@porchlight/contract/brand.ts';
import type { LateText } from '../../lib/late.ts';
import { oneTextFrom, shortInGsm } from '../../lib/texts.ts';
import { firstName, momentInShort } from '../../lib/words.ts';
import type { AlertFacts } from './letters.ts';

/**
 * The texts of an alert (P5.3): who, which device, what, blocked or not, when. They stay one text whatever people call things: long names are cut,
 * then the link is left out, then the advice, and never a fact.
 */
export function holderAlertText(facts: AlertFacts, url: string): string {
  const stop = facts.site ? 'Close the page' : 'Switch the computer off';
  const advice = facts.blocked ? 'Someone on the phone? Hang up.' : `${stop}, and hang up.`;
  return oneTextFrom(`${brand.name}: ${happened(facts)}`, advice, url);
}

export function guardianAlertText(facts: AlertFacts, holder_name: string, link: string): string {
  const holder = shortInGsm(firstName(holder_name), 14);
  const advice = facts.blocked ? 'Call. Say: hang up.' : 'Call now. Say: hang up, switch it off.';
  return oneTextFrom(`${brand.name}: ${holder} may need you. ${happened(facts)}`, advice, link);
}

/** The same for texts that leave long after it happened, without asking anybody to hurry. */
export function lateHolderAlertText(facts: AlertFacts, url: string): LateText {
  return { before: `${brand.name}: ${what(facts)}`, after: '.', more: ['Someone on the phone? Hang up.', url] };
}

export function lateGuardianAlertText(facts: AlertFacts, holder_name: string, link: string): LateText {
  const holder = shortInGsm(firstName(holder_name), 14);
  return { before: `${brand.name}, for ${holder}: ${what(facts)}`, after: '.', more: ['Call, ask if all is well.', link] };
}

/** Two whole names of 28 fit beside everything else. */
function happened(facts: AlertFacts): string {
  return `${what(facts)}, ${momentInShort(facts.time, facts.now, facts.time_zone)}.`;
}

function what(facts: AlertFacts): string {
  const name = shortInGsm(facts.name, 28);
  const named = facts.certainty === 'likely' ? `What looks like ${name}` : name;
  return `${named} was ${facts.blocked ? 'blocked' : 'NOT blocked'} on ${shortInGsm(facts.device, 28)}`;
}
