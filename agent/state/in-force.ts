import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { fixedPolicies, freePlan } from '@porchlight/contract/policies.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { type CompiledSet, compileSet } from '@porchlight/definitions/match.ts';
import type { FreePlan, Identity, Store } from './store.ts';

/** What the policy says about findings. */
export type Rules = Pick<DevicePolicy, 'actions' | 'block_likely' | 'allow'>;

/** What protects a computer that is no device, or whose policy is not there: the free plan (1.2, P3.6, P4.1). */
const freeRules: Rules = { ...freePlan, allow: [...freePlan.allow] };

/** What holds on this computer at this moment; every part of the agent reads it here. Only the session changes it. */
export interface InForce {
  identity: Identity | null;
  /** Of the device that this computer is now. */
  policy: DevicePolicy | null;
  /** In force while this computer is no device. A device has it too, until its policy is there. */
  free: FreePlan | null;
  definitions(): DefinitionSet | null;
  compiled(): CompiledSet | null;
  useDefinitions(next: DefinitionSet): void;
  /** Set by whoever can pause (P4.6). */
  paused: () => boolean;
  /** Set by whoever knows for how long something is allowed: the policy with what still is. */
  stillAllowed: (policy: DevicePolicy) => DevicePolicy;
  /** Set by whoever keeps it: the PIN of the account that this computer was removed from less than a day ago. */
  formerPin: () => PinHash | null;
  /** Milliseconds for which nothing weaker than strict is in force, as this computer has just changed hands (P10.8); 0 afterwards. Set by `link`. */
  strictFor: () => number;
  /** Milliseconds until this computer leaves its account as an administrator wants; null while nobody does. Set by `link`. */
  leavesIn: () => number | null;
  strict(): boolean;
  /** This computer belonged to nobody and had no free plan when the agent was started with a code, which is not settled yet. */
  isNew: boolean;
  /** A person is asked before it becomes anybody's: it belongs to somebody, or has the free plan. */
  asks(): boolean;
  /** What is to be done about findings; null while nothing is. */
  rules(): Rules | null;
  /** By which rules something is stopped at this moment; null while nothing is: it is paused, or something is not there yet. */
  protects(): 'policy' | 'free' | null;
  /** Of the Admin PIN of the account that this computer belongs to, or did; null when it is not known here. */
  pin(): PinHash | null;
  /** Whether what weakens protection takes a PIN: this computer belongs to an account, or did less than a day ago. */
  asksPin(): boolean;
}

/** The strict profile, and nothing allowed (P10.8). */
const strictRules: Rules = { actions: fixedPolicies.strict.actions, block_likely: true, allow: [] };

/** `with_code`: it was started with a code, and the free plan is for the case that it is refused. */
export type WantsFree = boolean | 'with_code';

/** What was in force when the agent ended. `wantsFree`: the free plan is chosen now, unless this computer is a device. */
export async function readInForce(store: Store, wantsFree: WantsFree): Promise<InForce> {
  // What cannot be written is tried again at the next start: nobody is left without protection for it.
  await store.countTries().catch(() => {});
  const identity = await store.identity();
  const kept = await store.policy();
  let definitions = await store.definitions();
  let compiled = definitions && compileSet(definitions);
  let free = identity ? null : await store.freePlan();
  const isNew = !identity && !free && wantsFree === 'with_code';
  if (!identity && !free && wantsFree) {
    free = 'chosen';
    // One that waits for its code is still as new after a restart.
    if (!isNew) await store.setFreePlan(free);
  }
  const held: InForce = {
    identity,
    // Not of a device that it was before.
    policy: kept && kept.device === identity?.device.uuid ? kept : null,
    free,
    definitions: () => definitions,
    compiled: () => compiled,
    useDefinitions(next) {
      definitions = next;
      compiled = compileSet(next);
    },
    paused: () => false,
    stillAllowed: (policy) => policy,
    formerPin: () => null,
    strictFor: () => 0,
    leavesIn: () => null,
    strict: () => held.strictFor() > 0,
    isNew,
    asks: () => held.identity !== null || (held.free !== null && !held.isNew),
    rules() {
      if (held.paused()) return null;
      if (!held.identity) return held.free && freeRules;
      // What is allowed too: nothing is, on the first day.
      if (held.strict()) return strictRules;
      return held.policy ? held.stillAllowed(held.policy) : freeRules;
    },
    protects: () => (held.rules() && compiled ? (held.identity && held.policy ? 'policy' : 'free') : null),
    pin: () => (held.identity ? (held.policy?.pin ?? null) : held.formerPin()),
    asksPin: () => held.identity !== null || held.formerPin() !== null,
  };
  return held;
}
