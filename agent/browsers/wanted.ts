import { notificationOrigins } from '@porchlight/definitions/sites/notification-origins.ts';
import type { JsonTree, JsonValue } from '../lib/json-tree.ts';
import type { PolicyDocument, PolicyPath } from '../os/port.ts';

export interface WantedPolicy {
  path: PolicyPath;
  /** Null when it is not wanted now. */
  value: JsonValue;
  /** The policy is not set when someone else has set any of these, which have a say in the same thing. */
  unless?: PolicyPath[];
}

/** Which policies are set. `origins`: the websites that may send notifications beside those of the list. */
export type Wanted = 'none' | { incident: boolean; origins: string[] };

/** In order, so that the switch of macOS comes before what it switches on. `isSafeBrowsingOff`: by its users, in the browser of the document. */
export function wantedPolicies(format: PolicyDocument['format'], wanted: Wanted, isSafeBrowsingOff: boolean): WantedPolicy[] {
  if (wanted !== 'none') return policies[format]({ ...wanted, isSafeBrowsingOff });
  return policies[format]({ incident: false, origins: [], isSafeBrowsingOff }).map((policy) => ({ ...policy, value: null }));
}

type PoliciesOf = (wanted: Exclude<Wanted, 'none'> & { isSafeBrowsingOff: boolean }) => WantedPolicy[];

const allowed = (origins: string[]) => [...new Set([...notificationOrigins.flatMap((page) => page.origins), ...origins])];

/** Without a port, Chromium takes an origin for all ports of its host. */
const withPort = (origin: string) => (/:\d+$/.test(origin) ? origin : `${origin}:443`);

/**
 * Sources: chromeenterprise.google/policies, also for Edge, Brave and Chromium; mozilla.github.io/policy-templates. `Locked`: users cannot
 * change the setting.
 */
const ofAllChromium: PoliciesOf = ({ incident, origins }) => [
  // 2: no site may show notifications.
  { path: ['DefaultNotificationsSetting'], value: 2 },
  // These sites may, without asking.
  {
    path: ['NotificationsAllowedForUrls'],
    value: incident ? null : allowed(origins).map(withPort),
    unless: [['DefaultNotificationsSetting']],
  },
  // Otherwise the browser asks another DNS server than our filter.
  { path: ['DnsOverHttpsMode'], value: 'off', unless: [['DnsOverHttpsTemplates'], ['DnsOverHttpsTemplatesWithIdentifiers']] },
  { path: ['RemoteAccessHostAllowRemoteSupportConnections'], value: false },
  { path: ['RemoteAccessHostAllowRemoteAccessConnections'], value: false },
  // A caller whose program was stopped goes on in a video call. It is allowed again when the incident is over.
  { path: ['ScreenCaptureAllowed'], value: incident ? false : null, unless: [['ScreenCaptureAllowedByOrigins']] },
  // Nothing new is installed from the stores. A list of blocked extensions would switch off what is installed.
  { path: ['URLBlocklist'], value: incident ? stores : null },
];

/** The pages from which Chromium's browsers install extensions. */
const stores = ['chromewebstore.google.com', 'chrome.google.com/webstore', 'microsoftedge.microsoft.com/addons'];

const chromium: PoliciesOf = (wanted) => [
  ...ofAllChromium(wanted),
  // 1: standard. A recommendation would not reach those who have switched it off.
  { path: ['SafeBrowsingProtectionLevel'], value: wanted.isSafeBrowsingOff ? 1 : null, unless: [['SafeBrowsingEnabled']] },
];

/** SmartScreen, which Edge has in place of Safe Browsing, has no way past its warnings (P16.5). */
const edge: PoliciesOf = (wanted) => [
  ...ofAllChromium(wanted),
  { path: ['SmartScreenEnabled'], value: true },
  { path: ['PreventSmartScreenPromptOverride'], value: true },
  { path: ['PreventSmartScreenPromptOverrideForFiles'], value: true },
  { path: ['ScarewareBlockerProtectionEnabled'], value: true },
];

/** Whether Firefox warns of pages and downloads. */
const safeBrowsing = ['malware', 'phishing', 'downloads'].map((what) => `browser.safebrowsing.${what}.enabled`);

const firefox: PoliciesOf = ({ incident, origins }) => {
  // A person may have granted one of these sites what `Allow` would give, so in an incident `Block` takes it away.
  const notifications: JsonTree = { [incident ? 'Block' : 'Allow']: allowed(origins), BlockNewRequests: true, Locked: true };
  return [
    { path: ['DNSOverHTTPS'], value: { Enabled: false, Locked: true } },
    { path: ['Permissions', 'Notifications'], value: notifications },
    { path: ['DisableSecurityBypass', 'SafeBrowsing'], value: true },
    ...safeBrowsing.map((name) => ({ path: ['Preferences', name], value: { Value: true, Status: 'locked' } })),
    // Nothing new is installed from the store; what is installed works on.
    { path: ['InstallAddonsPermission', 'Default'], value: incident ? false : null },
  ];
};

const policies: Record<PolicyDocument['format'], PoliciesOf> = {
  chromium,
  edge,
  firefox,
  firefox_plist: (wanted) => [{ path: ['EnterprisePoliciesEnabled'], value: true }, ...firefox(wanted)],
};
