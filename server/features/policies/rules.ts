import { fixedPolicies, type PolicyActions } from '@porchlight/contract/policies.ts';
import type { Category, PolicyAction } from '@porchlight/contract/shapes.ts';

const kinds: Record<Category, string> = {
  RemoteControl: 'remote-control programs',
  DeceptiveUtility: 'deceptive programs',
  ScamWebsite: 'scam websites',
};
const words: Record<PolicyAction, (what: string) => string> = {
  block: (what) => `Stops ${what}.`,
  alert: (what) => `Tells you about ${what}.`,
  ignore: (what) => `Leaves ${what} alone.`,
};

/** What a profile does, in plain words, kinds alike in one sentence: `Stops remote-control programs and scam websites. Tells you about deceptive programs.` */
export function descriptionOf(actions: PolicyActions): string {
  const all = Object.keys(kinds) as Category[];
  const inOrder = [...new Set(all.map((kind) => actions[kind]))];
  return inOrder
    .map((action) => words[action](listed(all.filter((kind) => actions[kind] === action).map((kind) => kinds[kind]))))
    .join(' ');
}

const listed = (names: string[]) => new Intl.ListFormat('en-US').format(names);

const strength: Record<PolicyAction, number> = { ignore: 0, alert: 1, block: 2 };

/** What a profile does; permissive alone leaves alone what only looks like a threat (P4.1). */
export interface Protection {
  actions: PolicyActions;
  block_likely: boolean;
}

/** Whether something that the first one does is not done by the second. */
export function stopsLess(before: Protection, now: Protection): boolean {
  const weaker = Object.entries(before.actions).some(
    ([category, action]) => strength[now.actions[category as Category]] < strength[action],
  );
  return weaker || (before.block_likely && !now.block_likely);
}

const ours = Object.values(fixedPolicies).map(({ name }) => lower(name.replace(/ \(Default\)$/, '')));

/** Whether a profile of one's own would be called like another one on the screen: whoever reads Strict must get Strict. */
export function nameTaken(name: string, others: { name: string; same: boolean }[]): boolean {
  return ours.includes(lower(name)) || others.some((other) => other.same || lower(other.name) === lower(name));
}

function lower(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
