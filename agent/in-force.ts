import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { freePlan } from '@porchlight/contract/policies.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { type CompiledSet, compileSet } from '@porchlight/definitions/match.ts';
import type { Rules } from './detectors/detector.ts';
import type { FreePlan, Identity, Store } from './state/store.ts';

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
  /** What is to be done about findings; null while nothing is. */
  rules(): Rules | null;
  /** By which rules something is stopped at this moment; null while nothing is: it is paused, or something is not there yet. */
  protects(): 'policy' | 'free' | null;
  /** Of the Admin PIN of the account that this computer belongs to; null when nobody knows one. */
  pin(): PinHash | null;
}

/** What was in force when the agent ended. `wantsFree`: the free plan is chosen now, unless this computer is a device. */
export async function readInForce(store: Store, wantsFree: boolean): Promise<InForce> {
  const identity = await store.identity();
  const kept = await store.policy();
  let definitions = await store.definitions();
  let compiled = definitions && compileSet(definitions);
  let free = identity ? null : await store.freePlan();
  if (!identity && !free && wantsFree) {
    free = 'chosen';
    await store.setFreePlan(free);
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
    rules() {
      if (held.paused()) return null;
      if (held.identity) return held.policy ?? freeRules;
      return held.free && freeRules;
    },
    protects: () => (held.rules() && compiled ? (held.identity && held.policy ? 'policy' : 'free') : null),
    pin: () => (held.identity && held.policy?.pin) || null,
  };
  return held;
}
