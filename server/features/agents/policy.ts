import type { AccountHolder, DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { fixedPolicies, freePlan, type PolicyActions, type PolicyId } from '@porchlight/contract/policies.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';

export interface DeviceForPolicy {
  uuid: string;
  name: string;
  policy: PolicyId;
  policy_version: number;
  resume: string | null;
  /** The person who uses it; null where that is unknown. */
  person: Person | null;
  /** What its profile says when it is one that the holder made. */
  own: { name: string; actions: PolicyActions } | null;
}

/** A profile that is no longer there protects like strict. */
function profileOf({ policy, own }: DeviceForPolicy): { uuid: PolicyId; name: string; actions: PolicyActions } {
  if (own) return { uuid: policy, ...own };
  const uuid = policy === 'permissive' ? policy : 'strict';
  return { uuid, ...fixedPolicies[uuid] };
}

/** The rest of the policy, beside the profile. `paid`: there is a valid plan. */
export interface AroundPolicy {
  epoch: number;
  family: string[];
  holder: AccountHolder;
  allow: DevicePolicy['allow'];
  paid: boolean;
  /** Null: the device is too new to be given it. */
  pin: PinHash | null;
  issued: Date;
}

/**
 * What the policy of a device says, from what is stored. Without a plan it protects as the free plan does (P6.3); the profile that was chosen, what the
 * person allowed and whom to call are kept, and come back with a plan.
 */
export function devicePolicy(device: DeviceForPolicy, { epoch, family, holder, allow, paid, pin, issued }: AroundPolicy): DevicePolicy {
  const { uuid, name, actions } = profileOf(device);
  return {
    device: device.uuid,
    epoch,
    version: device.policy_version,
    issued: issued.toISOString(),
    device_name: device.name,
    policy: { uuid, name: paid ? name : 'Free plan' },
    actions: paid ? actions : freePlan.actions,
    // Permissive alone blocks only when certain (P4.2).
    block_likely: paid ? uuid !== 'permissive' : freePlan.block_likely,
    allow,
    family,
    holder,
    pin,
    resume: device.resume,
  };
}
