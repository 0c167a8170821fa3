import { brand } from '@porchlight/contract/brand.ts';
import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
import { isNotInstalled } from '@porchlight/contract/limitations.ts';

const sentences = {
  sites_not_blocked: 'scam sites are not blocked there',
  few_sites_blocked: 'only the best-known scam sites are blocked there',
  other_users_not_ended: 'programs that other people on it start are not stopped',
  internet_not_cut: 'its internet can’t be cut from here',
} as const satisfies Record<AgentLimitation, string>;

/** `Den PC is on, but scam sites are not blocked there`: the worst limitation, without a full stop. */
export function limitationHeadline(name: string, [worst]: AgentLimitation[], on: boolean): string {
  const text = worst ? sentences[worst] : '';
  return on ? `${name} is on, but ${text}` : `When ${name} is on, ${text}`;
}

/** A sentence for each. */
export const limitationSentences = (limitations: AgentLimitation[]): string[] =>
  limitations.map((limitation) => `${sentences[limitation].charAt(0).toUpperCase()}${sentences[limitation].slice(1)}.`);

export const limitationAdvice = (limitations: AgentLimitation[]): string =>
  isNotInstalled(limitations)
    ? `To change that, run the ${brand.name} installer there, as an administrator of that computer.`
    : `To change that, open ${brand.name} there. It gives the reason under “What it cannot do here”.`;
