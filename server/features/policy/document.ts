import type { AccountHolder, DevicePolicy } from '@porchlight/contract/agent.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { EmergencyStop, NetworkIsolation } from '@porchlight/contract/emergency-stops.ts';
import { fixedPolicies, freePlan, type PolicyActions, type PolicyId } from '@porchlight/contract/policies.ts';
import { protectiveResolvers } from '@porchlight/contract/protective-resolvers.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { type UnlistedContext, unlistedPolicyOf } from './unlisted.ts';

const freePlanWords = 'Free plan';

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

export interface AllowedEntry extends Pick<DevicePolicy['allow'][number], 'type' | 'identifier' | 'until'> {
  id: string;
}

/** Until when a start waits for a yes, and until when it is reported (P9.1). */
interface Restriction {
  asks_until: Date | null;
  reported_until: Date | null;
}

/** What was made possible shortly before, without a yes: by allow-list entry, and by the profile. */
export interface DeviceRestrictions {
  exceptions: Map<string, Restriction>;
  profile: Restriction;
}

export interface PolicyContext {
  epoch: number;
  relatives: string[];
  has_guardian: boolean;
  holder: AccountHolder;
  allow: AllowedEntry[];
  restrictions: DeviceRestrictions;
  /** Whether the PIN was shown within a day, without a yes, where there is a guardian (P9.1). */
  pin_shown: boolean;
  browsing: BrowsingProtection;
  /** Threats that are on no list (P12.3 to P12.6). */
  unlisted: UnlistedContext;
  paid: boolean;
  /** The PIN's hash; null while the device is too new to get it. */
  pin: PinHash | null;
  issued: Date;
  /** Whether an incident is open at the device (P10.5). */
  incident: boolean;
  emergency_stop: EmergencyStop | null;
  isolation: NetworkIsolation | null;
  code_secret: string | null;
  appointment: DevicePolicy['appointment'];
}

/** Strict, and nothing is allowed: what an emergency stop makes of any profile, with or without a plan (P10.6). */
const stopRules = { actions: fixedPolicies.strict.actions, block_likely: true, allow: [] };

/** In its first hour a weaker profile still stops remote control, and for a day it reports what it does not stop (P9.1). */
function profileRules(
  { actions, block_likely }: Pick<DevicePolicy, 'actions' | 'block_likely'>,
  { asks_until, reported_until }: Restriction,
): Pick<DevicePolicy, 'actions' | 'block_likely'> {
  if (asks_until) return { actions: { ...actions, RemoteControl: 'block' }, block_likely: true };
  const isSilent = actions.RemoteControl === 'ignore' && reported_until !== null;
  return { actions: isSilent ? { ...actions, RemoteControl: 'alert' } : actions, block_likely };
}

/** A program that waits for a yes is not allowed yet; the others are reported for a day. */
function allowedNow(allow: AllowedEntry[], { exceptions }: DeviceRestrictions): DevicePolicy['allow'] {
  return allow.flatMap(({ id, type, identifier, until }) => {
    const restriction = type === 'definition' ? exceptions.get(id) : undefined;
    if (restriction?.asks_until) return [];
    return [{ type, identifier, until, reported_until: restriction?.reported_until?.toISOString() ?? null }];
  });
}

/** Without a plan the free plan's policy applies (P6.3); the chosen profile stays stored. */
export function devicePolicy(device: DeviceForPolicy, context: PolicyContext): DevicePolicy {
  const { epoch, relatives, holder, allow, browsing, paid, pin, issued, emergency_stop } = context;
  const { uuid, name, actions } = profileOf(device);
  return {
    device: device.uuid,
    epoch,
    version: device.policy_version,
    issued: issued.toISOString(),
    device_name: device.name,
    policy: { uuid, name: paid ? name : freePlanWords },
    // The permissive profile blocks only what is certain (P4.2).
    ...profileRules(paid ? { actions, block_likely: uuid !== 'permissive' } : freePlan, context.restrictions.profile),
    allow: allowedNow(allow, context.restrictions),
    relatives,
    holder,
    pin,
    resume: device.resume,
    ...browsingPolicy(browsing, uuid, paid),
    lock: context.incident || emergency_stop !== null,
    pin_shown: context.pin_shown,
    emergency_stop,
    isolation: context.isolation,
    code_secret: context.code_secret,
    appointment: context.appointment,
    unlisted: unlistedPolicyOf({
      ...context.unlisted,
      ...{ profile: uuid, paid, has_guardian: context.has_guardian, emergency: emergency_stop !== null },
    }),
    ...(emergency_stop ? stopRules : {}),
  };
}

/** `profile`: the one in force with a plan. Browsers are part of Strict alone (P12.2); the resolver is for every computer (P12.1). */
export function browsingPolicy(
  { browsers, resolver, notification_origins }: BrowsingProtection,
  profile: PolicyId,
  paid: boolean,
): Pick<DevicePolicy, 'browsers' | 'notification_origins' | 'resolver'> {
  const choice = { browsers: browsers && paid && profile === 'strict', notification_origins };
  if (resolver === 'network') return { ...choice, resolver: null };
  const { name, host, addresses } = protectiveResolvers[resolver];
  return { ...choice, resolver: { name, host, addresses: [...addresses] } };
}
