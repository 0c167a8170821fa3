import { detectionWhyMax, type ReportedDetection } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';

/** An open alert, described by the detection that opened it. */
export interface OpenAlert {
  uuid: string;
  identifier: string;
  time: Date;
  blocked: boolean;
  site: boolean;
}

/**
 * The open alert that a detection is counted into, or null to open one (P5.3). `nearby`: alerts of the same definition and device. An
 * unblocked detection after a blocked one opens an alert, and so does a program after a site, such as its download site.
 */
export function alertFor(
  detection: { time: Date; blocked: boolean; site: boolean },
  nearby: Omit<OpenAlert, 'identifier'>[],
): string | null {
  const openAlerts = nearby
    .filter((alert) => Math.abs(alert.time.getTime() - detection.time.getTime()) < serverLimits.alert_grouping)
    .filter((alert) => detection.blocked || !alert.blocked)
    .filter((alert) => detection.site || !alert.site)
    .sort((a, b) => b.time.getTime() - a.time.getTime());
  return openAlerts[0]?.uuid ?? null;
}

/** Whether a site was detected. For a remote-control program's site, the details are the site. */
export function isSite({ name, category, details }: Pick<ReportedDetection, 'name' | 'category' | 'details'>): boolean {
  return category === 'ScamWebsite' || details === name;
}

/** Whether it is not ended, but waits at the computer for a yes (P12.3, P12.4, P12.6, P16.2). */
export const isWaiting = ({ category, blocked }: Pick<ReportedDetection, 'category' | 'blocked'>): boolean =>
  blocked && (category === 'PastedCommand' || isOnlyAsked(category));

/** A question to the guardians is enough: nothing bad needs to have happened. */
export const isOnlyAsked = (category: ReportedDetection['category']): boolean =>
  category === 'NewProgram' || category === 'MoneySite' || category === 'PausedSite';

/** Whether it can be lost nothing in the next minutes, unless somebody is on the line (P15.9): a page that did not open, or a deceptive program. */
export const mayBeQuiet = ({ category, blocked }: Pick<ReportedDetection, 'category' | 'blocked'>): boolean =>
  category === 'DeceptiveUtility' || (category === 'ScamWebsite' && blocked);

/** The maximum characters of a match, to limit the operator's list of wrong matches. */
const maxMatchLength = detectionWhyMax;

/** The evidence for these comes from definitions and patterns; for others it is an origin or a setting, such as a login name. */
const hasPublicEvidence = (category: ReportedDetection['category']) =>
  ['RemoteControl', 'DeceptiveUtility', 'ScamWebsite', 'PastedCommand', 'PausedSite'].includes(category);

/** The match without personal data: neither the file's folder nor related programs, because paths contain names. */
export function matchOf(
  detection: Pick<ReportedDetection, 'name' | 'identifier' | 'category' | 'certainty' | 'details'> & { why: string },
) {
  const { name, identifier, category, certainty, details, why } = detection;
  const path = details.replace(/ \([^()\\/]*[\\/][^()]*\)$/, '');
  const file = isSite(detection) || category === 'Door' ? '' : (path.split(/[\\/]/).at(-1) ?? '');
  // Removes control characters, because devices may send anything and the operator's terminal prints it.
  const shortened = (text: string) => text.replace(/\p{C}+/gu, '?').slice(0, maxMatchLength);
  const evidence = hasPublicEvidence(category) ? shortened(why) : '';
  return { identifier: shortened(identifier), name: shortened(name), category, certainty, file: shortened(file), evidence };
}
