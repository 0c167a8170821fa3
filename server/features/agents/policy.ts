import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { fixedPolicies, type PolicyId } from '@porchlight/contract/policies.ts';

/** What the policy of a device says, from what is stored. */
export function devicePolicy(
  device: { uuid: string; name: string; policy: PolicyId; policy_version: number },
  family: string[],
  allow: DevicePolicy['allow'],
  issued: Date,
): DevicePolicy {
  const id = device.policy === 'permissive' ? 'permissive' : 'strict';
  const { name, actions } = fixedPolicies[id];
  return {
    device: device.uuid,
    version: device.policy_version,
    issued: issued.toISOString(),
    device_name: device.name,
    policy: { uuid: id, name },
    actions,
    // Permissive blocks only when certain (P4.2).
    block_likely: id === 'strict',
    allow,
    family,
  };
}
