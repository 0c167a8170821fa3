import { failed, notPlayed, type Outcome, passed } from './rows.ts';

/** The policies of every day that the agent sets for each kind of browser (`agent/browsers/wanted.ts`). */
export const chromiumPolicies = [
  'DefaultNotificationsSetting',
  'DnsOverHttpsMode',
  'RemoteAccessHostAllowRemoteSupportConnections',
  'RemoteAccessHostAllowRemoteAccessConnections',
];
export const firefoxPolicies = ['DNSOverHTTPS', 'Notifications'];

/** `text`: what the system has for this browser; null when it has nothing. */
export interface BrowserText {
  browser: string;
  text: string | null;
}

/**
 * Whether browsers are managed is a choice on the dashboard, which the self-check does not know. So none is no result, and only some of the
 * policies of a browser are a failure.
 */
export function browserOutcome(browsers: BrowserText[]): Outcome {
  const found = browsers.map(({ browser, text }) => {
    const policies = browser === 'Firefox' ? firefoxPolicies : chromiumPolicies;
    return { browser, policies, set: policies.filter((policy) => text?.includes(policy)) };
  });
  const evidence = found.map(({ browser, policies, set }) => `${browser}: ${set.length} of ${policies.length} policies`).join('\n');
  if (found.every(({ set }) => set.length === 0))
    return notPlayed(`Browsers are not managed on the dashboard, or no policy is set.\n${evidence}`);
  return found.every(({ policies, set }) => set.length === 0 || set.length === policies.length) ? passed(evidence) : failed(evidence);
}
