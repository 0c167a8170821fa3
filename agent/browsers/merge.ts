import { isTree, type JsonValue } from '../lib/json-tree.ts';
import type { PolicyDocument, PolicyPath } from '../os/port.ts';

/** A policy that we set, with the value that we wrote. */
export interface SetPolicy {
  document: PolicyDocument;
  path: PolicyPath;
  value: JsonValue;
}

/** What the computer has. `value`: null when not set. `elsewhere`: another document decides. `wanted`: null when we want nothing. */
export interface SeenPolicy extends SetPolicy {
  elsewhere: boolean;
  wanted: JsonValue;
}

export interface Change {
  kind: 'set' | 'remove';
  policy: SetPolicy;
}

export interface Plan {
  changes: Change[];
  /** The policies that are ours after the changes. */
  ours: SetPolicy[];
}

type Decision = 'set' | 'remove' | 'keep' | 'leave';

/** Never changes a policy that someone else has set; our own we know by the record of the value that we wrote. */
function decide({ document, path, value, elsewhere, wanted }: SeenPolicy, recorded: SetPolicy[]): Decision {
  const ours = isOurs({ document, path, value }, recorded);
  if (wanted === null || elsewhere) return ours ? 'remove' : 'leave';
  if (value === null) return 'set';
  if (!ours) return 'leave';
  return isSame(value, wanted) ? 'keep' : 'set';
}

/** Whether we wrote the value that a document has. */
export const isOurs = ({ document, path, value }: SetPolicy, recorded: SetPolicy[]): boolean =>
  value !== null && (document.own || recorded.some((policy) => isSamePolicy(policy, { document, path }) && isPartOf(value, policy.value)));

export function planChanges(seen: SeenPolicy[], recorded: SetPolicy[]): Plan {
  const plan: Plan = { changes: [], ours: [] };
  for (const policy of seen) {
    const { document, path, value, wanted } = policy;
    const actions: Record<Decision, () => void> = {
      set() {
        plan.changes.push({ kind: 'set', policy: { document, path, value: wanted } });
        plan.ours.push({ document, path, value: wanted });
      },
      remove: () => void plan.changes.push({ kind: 'remove', policy: { document, path, value } }),
      keep: () => void plan.ours.push({ document, path, value: wanted }),
      leave() {},
    };
    actions[decide(policy, recorded)]();
  }
  return plan;
}

export const isSamePolicy = (one: Pick<SetPolicy, 'document' | 'path'>, other: Pick<SetPolicy, 'document' | 'path'>): boolean =>
  one.document.id === other.document.id && one.path.length === other.path.length && one.path.every((name, n) => name === other.path[n]);

/** A change that was interrupted leaves a part of our value. */
function isPartOf(value: JsonValue, whole: JsonValue): boolean {
  if (isTree(value) && isTree(whole))
    return Object.entries(value).every(([name, part]) => name in whole && isPartOf(part, whole[name] ?? null));
  if (Array.isArray(value) && Array.isArray(whole)) return value.every((item) => whole.some((other) => isSame(item, other)));
  return isSame(value, whole);
}

/** Equal also when one has 1 for true and 0 for false, as the registry does. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
  if (isTree(one) && isTree(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every((name) => name in one && name in other && isSame(one[name] ?? null, other[name] ?? null));
  }
  const plain = (value: JsonValue) => (typeof value === 'boolean' ? Number(value) : value);
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}
