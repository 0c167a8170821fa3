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
  `${name} has switched off both emails and texts, and won’t know when something happens. Talk to ${name} about it.`;

/** Who cannot be reached now, for the home screen (P11.4). An unconfirmed address has its own banner on every page. */
export function unreachedFacts(guardians: Reach[], profile: Pick<Profile, 'email' | 'email_fails'> | undefined): Fact[] {
  const own: Fact[] = profile?.email_fails
    ? [
        fact(
          { sentence: 'We can’t reach you by email', todo: ownTodo(profile.email) },
          { label: 'Check your email address', to: paths.profile },
        ),
      ]
    : [];
  const others = guardians.flatMap((guardian) => {
    const problem = guardian.unreachable ? reachProblem(guardian) : null;
    return problem ? [fact(problem, { label: 'See your guardians', to: paths.guardians })] : [];
  });
  return [...own, ...others];
}

const ownTodo = (email: string) => `Our emails to ${email} come back. Check your email address on your profile.`;

const fact = ({ sentence, todo }: { sentence: string; todo: string }, link: Fact['link']): Fact => ({
  mood: 'look',
  sentence,
  title: sentence,
  points: [{ todo }],
  ...(link && { link }),
});
