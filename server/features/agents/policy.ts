import type { AccountHolder, DevicePolicy } from '@porchlight/contract/agent.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { EmergencyStop, NetworkIsolation } from '@porchlight/contract/emergency-stops.ts';
import { fixedPolicies, freePlan, type PolicyActions, type PolicyId } from '@porchlight/contract/policies.ts';
import { protectiveResolvers } from '@porchlight/contract/protective-resolvers.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';

export interface DeviceForPolicy {
  uuid: string;
  name: string;
  policy: PolicyId;
  policy_version: number;
  resume: string | null;
  person: Person | null;
  /** The holder's own profile, if the device has one. */
  own: { name: string; actions: PolicyActions } | null;
}

function profileOf({ policy, own }: DeviceForPolicy): { uuid: PolicyId; name: string; actions: PolicyActions } {
  if (own) return { uuid: policy, ...own };
  const uuid = policy === 'permissive' ? policy : 'strict';
  return { uuid, ...fixedPolicies[uuid] };
}

export interface PolicyContext {
  epoch: number;
  family: string[];
  holder: AccountHolder;
  allow: DevicePolicy['allow'];
  browsing: BrowsingProtection;
  paid: boolean;
  /** The PIN's hash; null while the device is too new to get it. */
  pin: PinHash | null;
  issued: Date;
  /** Whether an incident is open at the device (P10.5). */
  incident: boolean;
  emergency_stop: EmergencyStop | null;
  isolation: NetworkIsolation | null;
  code_secret: string | null;
}

/** Strict, and nothing is allowed: what an emergency stop makes of any profile, with or without a plan (P10.6). */
const stopRules = { actions: fixedPolicies.strict.actions, block_likely: true, allow: [] };

/** Without a plan the free plan's policy applies (P6.3); the chosen profile stays stored. */
export function devicePolicy(device: DeviceForPolicy, context: PolicyContext): DevicePolicy {
  const { epoch, family, holder, allow, browsing, paid, pin, issued, emergency_stop } = context;
  const { uuid, name, actions } = profileOf(device);
  return {
    device: device.uuid,
    epoch,
    version: device.policy_version,
    issued: issued.toISOString(),
    device_name: device.name,
    policy: { uuid, name: paid ? name : 'Free plan' },
    actions: paid ? actions : freePlan.actions,
    // The permissive profile blocks only what is certain (P4.2).
    block_likely: paid ? uuid !== 'permissive' : freePlan.block_likely,
    allow,
    family: family,
    holder,
    pin,
    resume: device.resume,
    ...browsingPolicy(browsing, uuid, paid),
    lock: context.incident || emergency_stop !== null,
    emergency_stop,
    isolation: context.isolation,
    code_secret: context.code_secret,
    ...(emergency_stop ? stopRules : {}),
  };
}

/** `profile`: the one in force with a plan. Browsers are part of Strict alone (P12.2); the resolver is for every computer (P12.1). */
export function browsingPolicy(
  { browsers, resolver }: BrowsingProtection,
  profile: PolicyId,
  paid: boolean,
): Pick<DevicePolicy, 'browsers' | 'resolver'> {
  const isStrict = paid && profile === 'strict';
  if (resolver === 'network') return { browsers: browsers && isStrict, resolver: null };
  const { name, host, addresses } = protectiveResolvers[resolver];
  return { browsers: browsers && isStrict, resolver: { name, host, addresses: [...addresses] } };
}
