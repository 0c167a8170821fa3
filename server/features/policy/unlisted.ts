import type { PolicyId } from '@porchlight/contract/policies.ts';
import { noUnlistedPolicy, type UnlistedPolicy, type UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';

/** What a device's policy about threats on no list depends on. */
export interface UnlistedContext {
  choice: UnlistedProtection;
  /** An incident is open at the device, and nobody who may has answered it (P12.6). */
  unanswered: boolean;
  /** An incident is open at the device, or somebody other than the holder uses it (P16.2). */
  asks_for_sites: boolean;
  /** Somebody other than the holder uses the device, and the server fetches a list of young sites (P16.3). */
  young_sites: boolean;
  answers: UnlistedPolicy['answers'];
}

export interface UnlistedFacts extends UnlistedContext {
  /** The profile in force with a plan. */
  profile: PolicyId;
  paid: boolean;
  /** Somebody can be asked. */
  has_guardian: boolean;
  emergency: boolean;
}

/** Permissive stops nothing that is on no list, and reports it (P4.1). An emergency stop is strict, and lets nothing through. */
export function unlistedPolicyOf(facts: UnlistedFacts): UnlistedPolicy {
  const { choice, profile, paid, has_guardian, emergency, unanswered, asks_for_sites, young_sites, answers } = facts;
  if (!paid && !emergency) return noUnlistedPolicy;
  const isPermissive = profile === 'permissive' && !emergency;
  const action = (isOn: boolean) => (!isOn ? 'ignore' : isPermissive ? 'alert' : 'block');
  // Without anybody who could say yes, a computer could never get a new program.
  const isAlways = choice.new_programs === 'always' && has_guardian;
  const waiting = choice.new_programs === 'count' ? 'count' : isAlways ? 'always' : 'incident';
  return {
    pasted_commands: action(choice.pasted_commands),
    new_programs: isPermissive ? 'count' : waiting,
    doors: action(choice.doors),
    money: choice.money_pages && !isPermissive ? { unanswered, sites: choice.money_sites, open: choice.money_open } : null,
    paused_sites: emergency || asks_for_sites ? 'ask' : 'press',
    young_sites,
    answers: emergency ? answers.filter(({ answer }) => answer === 'no') : answers,
  };
}
