import type { Profile } from '@porchlight/contract/accounts.ts';
import type { Guardian } from '@porchlight/contract/guardians.ts';
import { firstName } from '@porchlight/contract/names.ts';
import { paths } from './paths.ts';
import type { Fact } from './safe-fact.ts';

type Reach = Pick<Guardian, 'name' | 'state' | 'mail' | 'texts' | 'trouble' | 'unreachable'>;

/** What is wrong with a guardian's channels, and what to do; null if nothing is. A sentence without a full stop, and whole sentences. */
export function reachProblem({
  name: fullName,
  state,
  mail,
  texts,
  trouble,
  unreachable,
}: Reach): { sentence: string; todo: string } | null {
  const name = firstName(fullName);
  const newAddress = `Ask ${name} for the right email address. Then remove ${name} under Guardians, and add them again.`;
  if (trouble && state === 'pending') return { sentence: `${name}’s invitation came back`, todo: newAddress };
  if (!trouble) return unreachable ? { sentence: `${name} gets no alerts`, todo: switchedOff(name) } : null;
  const byText = `Ask ${name} to check the phone number on their page.`;
  if (unreachable && mail) {
    const both = texts === 'on';
    return { sentence: `We can’t reach ${name}`, todo: `Our emails ${both ? 'and texts ' : ''}don’t arrive. ${newAddress}` };
  }
  if (unreachable) return { sentence: `We can’t reach ${name}`, todo: `Our texts don’t arrive. ${byText}` };
  if (trouble.channel === 'mail') return { sentence: `We can’t reach ${name} by email`, todo: newAddress };
  return { sentence: `We can’t reach ${name} by text`, todo: byText };
}

const switchedOff = (name: string) =>
  `${name} turned emails and texts off, and won’t know when something happens. Talk to ${name} about it.`;

interface Link {
  label: string;
  to: string;
}

/** Somebody who cannot be reached, and where to solve it. */
export interface UnreachedFact extends Fact {
  link: Link;
}

/** Who cannot be reached now, for the home screen (P11.4). An unconfirmed address has its own banner on every page. */
export function unreachedFacts(guardians: Reach[], profile: Pick<Profile, 'email' | 'email_fails'> | undefined): UnreachedFact[] {
  const profileLink = { label: 'Check your email address', to: paths.profile };
  const guardiansLink = { label: 'See your guardians', to: paths.guardians };
  const own = profile?.email_fails ? [{ sentence: 'We can’t reach you by email', todo: ownTodo(profile.email), link: profileLink }] : [];
  const others = guardians.flatMap((guardian) => {
    const problem = guardian.unreachable ? reachProblem(guardian) : null;
    return problem ? [{ ...problem, link: guardiansLink }] : [];
  });
  return [...own, ...others].map(({ sentence, todo, link }) => ({ mood: 'look', sentence, title: sentence, points: [{ todo }], link }));
}

const ownTodo = (email: string) => `Our emails to ${email} come back. Check your email address on your profile.`;

/** Each link once. `first`: of the fact that is the screen's sentence. */
export function unreachedLinks(facts: UnreachedFact[], sentence: string | undefined): { first: Link | undefined; others: Link[] } {
  const links = facts.map(({ link }) => link);
  const first = facts.find((fact) => fact.sentence === sentence)?.link;
  return { first, others: links.filter(({ to }, i) => to !== first?.to && links.findIndex((one) => one.to === to) === i) };
}
