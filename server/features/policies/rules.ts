import { listOf } from '@porchlight/contract/language.ts';
import { fixedPolicies, type PolicyActions } from '@porchlight/contract/policies.ts';
import type { Category, PolicyAction } from '@porchlight/contract/shapes.ts';

const categoryNames: Record<Category, string> = {
  RemoteControl: 'remote-control programs',
  DeceptiveUtility: 'deceptive programs',
  ScamWebsite: 'scam websites',
};
const actionWords: Record<PolicyAction, (programs: string) => string> = {
  block: (programs) => `Stops ${programs}.`,
  alert: (programs) => `Tells you about ${programs}.`,
  ignore: (programs) => `Leaves ${programs} alone.`,
};

/** `Stops remote-control programs and scam websites. Tells you about deceptive programs.` */
export function descriptionOf(actions: PolicyActions): string {
  const allCategories = Object.keys(categoryNames) as Category[];
  const inOrder = [...new Set(allCategories.map((kind) => actions[kind]))];
  return inOrder
    .map((action) =>
      actionWords[action](listOf(allCategories.filter((kind) => actions[kind] === action).map((kind) => categoryNames[kind]))),
    )
    .join(' ');
}

const strength: Record<PolicyAction, number> = { ignore: 0, alert: 1, block: 2 };

/** `block_likely` is false only for the permissive profile (P4.1). */
export interface Protection {
  actions: PolicyActions;
  block_likely: boolean;
}

/** Whether the new protection is weaker than the previous one in any category. */
export function stopsLess(previous: Protection, current: Protection): boolean {
  const weaker = Object.entries(previous.actions).some(
    ([category, action]) => strength[current.actions[category as Category]] < strength[action],
  );
  return weaker || (previous.block_likely && !current.block_likely);
}

const fixedNames = Object.values(fixedPolicies).map(({ name }) => lower(name.replace(/ \(Default\)$/, '')));

/** Whether a profile name is taken; the fixed profiles' names are reserved. */
export function nameTaken(name: string, otherProfiles: { name: string; same: boolean }[]): boolean {
  return fixedNames.includes(lower(name)) || otherProfiles.some((other) => other.same || lower(other.name) === lower(name));
}

function lower(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
