import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { fixedPolicies, type PolicyActions, type PolicyId } from '@porchlight/contract/policies.ts';

export interface DeviceForPolicy {
  uuid: string;
  name: string;
  policy: PolicyId;
  policy_version: number;
  /** What its profile says when it is one that the holder made. */
  own: { name: string; actions: PolicyActions } | null;
}

/** A profile that is no longer there protects like strict. */
function profileOf({ policy, own }: DeviceForPolicy): { uuid: PolicyId; name: string; actions: PolicyActions } {
  if (own) return { uuid: policy, ...own };
  const uuid = policy === 'permissive' ? policy : 'strict';
  return { uuid, ...fixedPolicies[uuid] };
}

/** What the policy of a device says, from what is stored. */
export function devicePolicy(device: DeviceForPolicy, family: string[], allow: DevicePolicy['allow'], issued: Date): DevicePolicy {
  const { uuid, name, actions } = profileOf(device);
  return {
    device: device.uuid,
    version: device.policy_version,
    issued: issued.toISOString(),
    device_name: device.name,
    policy: { uuid, name },
    actions,
    // Permissive alone blocks only when certain (P4.2).
    block_likely: uuid !== 'permissive',
    allow,
    family,
  };
}
