import type { BrowserPolicyStore, PolicyDocument } from '../os/port.ts';
import { type Change, isOurs, isSamePolicy, planChanges, type SeenPolicy, type SetPolicy } from './merge.ts';
import { type Wanted, wantedPolicies } from './wanted.ts';

/** What the agent has set. `containers`: what it created for that, and removes when it is empty: folders, files, keys, objects. */
export interface StoredPolicies {
  policies: SetPolicy[];
  containers: string[];
}

export interface BrowserPolicyRecord {
  load(): Promise<StoredPolicies>;
  save(stored: StoredPolicies): Promise<void>;
}

export interface Reconciled {
  /** Why policies could not be read or changed, each once. */
  failures: string[];
  /** How many policies are ours now. */
  ours: number;
}

/** Sets the wanted policies, and removes exactly those others that are still ours. Idempotent, also after a crash at any point. */
export async function reconcile(store: BrowserPolicyStore, record: BrowserPolicyRecord, wanted: Wanted): Promise<Reconciled> {
  const stored = await record.load();
  const failures = new Set<string>();
  /** Recorded policies that could not be read or changed stay recorded. */
  const unchanged: SetPolicy[] = [];
  const attempt = async (policy: Pick<SetPolicy, 'document' | 'path'>, step: () => Promise<unknown>) => {
    try {
      await step();
    } catch (err) {
      failures.add(err instanceof Error ? err.message : String(err));
      unchanged.push(...stored.policies.filter((one) => isSamePolicy(one, policy)));
    }
  };

  const seen: SeenPolicy[] = [];
  for (const policy of await candidates(store, stored, wanted)) {
    const { document, path } = policy;
    await attempt(policy, async () => {
      const elsewhere = policy.wanted !== null && (await isDecidedElsewhere(store, policy, stored.policies));
      seen.push({ ...policy, value: await store.read(document, path), elsewhere });
    });
  }
  const plan = planChanges(seen, stored.policies);

  const containers = [...stored.containers];
  for (const { kind, policy } of plan.changes) {
    if (kind === 'set') await attempt(policy, async () => containers.push(...(await store.missing(policy.document, policy.path))));
  }
  const before: StoredPolicies = { policies: [...stored.policies, ...plan.ours], containers: [...new Set(containers)] };
  // Recorded before the change, so that an agent that is killed in between can still undo it.
  if (plan.changes.length > 0) await record.save(before);
  const actions: Record<Change['kind'], (policy: SetPolicy) => Promise<void>> = {
    set: ({ document, path, value }) => store.set(document, path, value),
    remove: ({ document, path }) => store.remove(document, path),
  };
  for (const { kind, policy } of plan.changes) await attempt(policy, () => actions[kind](policy));

  const ours = [...plan.ours, ...unchanged];
  if (wanted === 'none') await attemptAll(await touchedDocuments(store, stored), store.removeLeftovers, failures);
  const own = wanted !== 'none' ? [] : (await store.documents()).filter((document) => document.own).map(({ id }) => id);
  if (ours.length < stored.policies.length || own.length > 0) {
    // The innermost first, because it is in the others.
    const emptied = [...new Set([...own, ...before.containers])].toSorted((one, other) => other.length - one.length);
    await attemptAll(emptied, store.removeIfEmpty, failures);
  }
  const after: StoredPolicies = { policies: ours, containers: ours.length > 0 ? before.containers : [] };
  if (plan.changes.length > 0 || JSON.stringify(after) !== JSON.stringify(stored)) await record.save(after);
  return { failures: [...failures], ours: ours.length };
}

async function touchedDocuments(store: BrowserPolicyStore, { policies }: StoredPolicies): Promise<PolicyDocument[]> {
  const own = (await store.documents()).filter((document) => document.own);
  return [...own, ...policies.map(({ document }) => document)];
}

async function attemptAll<T>(items: T[], step: (item: T) => Promise<void>, failures: Set<string>): Promise<void> {
  for (const item of items) await step(item).catch((err: Error) => failures.add(err.message));
}

type Candidate = Pick<SeenPolicy, 'document' | 'path' | 'wanted'> & { unless: string[][] };

/** What may have to change: each policy that we want, and each that we have set. */
async function candidates(store: BrowserPolicyStore, stored: StoredPolicies, wanted: Wanted): Promise<(Candidate & SetPolicy)[]> {
  const documents = await store.documents();
  const ofTable: (Candidate & SetPolicy)[] = [];
  for (const document of documents) {
    const isSafeBrowsingOff = wanted !== 'none' && (await store.isSafeBrowsingOff(document));
    for (const { path, value, unless = [] } of wantedPolicies(document.format, wanted, isSafeBrowsingOff))
      ofTable.push({ document, path, unless, value: null, wanted: value });
  }
  const others = stored.policies.filter((policy) => !ofTable.some((one) => isSamePolicy(one, policy)));
  return [...ofTable, ...others.map((policy) => ({ ...policy, unless: [], wanted: null }))];
}

async function isDecidedElsewhere(
  store: BrowserPolicyStore,
  { document, path, unless }: Candidate,
  recorded: SetPolicy[],
): Promise<boolean> {
  if (await store.isSetElsewhere(document, path)) return true;
  for (const other of unless) {
    const value = await store.read(document, other);
    if (value !== null && !isOurs({ document, path: other, value }, recorded)) return true;
    if (await store.isSetElsewhere(document, other)) return true;
  }
  return false;
}
