import type { JsonValue } from '../lib/json-tree.ts';
import type { PolicyDocument, PolicyPath } from '../os/port.ts';

export interface WantedPolicy {
  path: PolicyPath;
  value: JsonValue;
  /** Left alone when any of these is set, because it has a say in the same thing. */
  unless?: PolicyPath[];
  /** Only while an incident is open. */
  in_incident?: true;
}

/** Which policies are set: none, those of every day, or also those of an incident. */
export type Wanted = 'none' | 'always' | 'incident';

export const isWantedNow = ({ in_incident }: WantedPolicy, wanted: Wanted): boolean =>
  wanted === 'incident' || (wanted === 'always' && !in_incident);

/**
 * Sources: chromeenterprise.google/policies, also for Edge, Brave and Chromium; mozilla.github.io/policy-templates. `Locked`: users cannot
 * change the setting.
 */
const chromium: WantedPolicy[] = [
  // 2: no site may show notifications.
  { path: ['DefaultNotificationsSetting'], value: 2 },
  // Otherwise the browser asks another DNS server than our filter.
  { path: ['DnsOverHttpsMode'], value: 'off', unless: [['DnsOverHttpsTemplates'], ['DnsOverHttpsTemplatesWithIdentifiers']] },
  { path: ['RemoteAccessHostAllowRemoteSupportConnections'], value: false },
  { path: ['RemoteAccessHostAllowRemoteAccessConnections'], value: false },
  // A caller whose program was stopped goes on in a video call. It is allowed again when the incident is over.
  { path: ['ScreenCaptureAllowed'], value: false, unless: [['ScreenCaptureAllowedByOrigins']], in_incident: true },
];

const firefox: WantedPolicy[] = [
  { path: ['DNSOverHTTPS'], value: { Enabled: false, Locked: true } },
  { path: ['Permissions', 'Notifications'], value: { BlockNewRequests: true, Locked: true } },
];

/** By the format of a document; in order, so that the switch of macOS comes before what it switches on. */
export const wantedPolicies: Record<PolicyDocument['format'], WantedPolicy[]> = {
  chromium,
  firefox,
  firefox_plist: [{ path: ['EnterprisePoliciesEnabled'], value: true }, ...firefox],
};
