import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';

/** An alert that is open: the detection that opened it. */
export interface OpenAlert {
  uuid: string;
  identifier: string;
  time: Date;
  blocked: boolean;
}

/**
 * Into which open alert a new detection is counted; null when it opens one of its own (P5.3).
 * `nearby`: alerts of the same definition on the same device. An escalation (not blocked after blocked) always opens one.
 */
export function alertFor(detection: { time: Date; blocked: boolean }, nearby: Omit<OpenAlert, 'identifier'>[]): string | null {
  const open = nearby
    .filter((alert) => Math.abs(alert.time.getTime() - detection.time.getTime()) < serverLimits.alert_grouping)
    .filter((alert) => detection.blocked || !alert.blocked)
    .sort((a, b) => b.time.getTime() - a.time.getTime());
  return open[0]?.uuid ?? null;
}

/** A site, or a program? A family of programs has sites too: of those the name itself is what was seen. */
export function isSite({ name, category, details }: Pick<ReportedDetection, 'name' | 'category' | 'details'>): boolean {
  return category === 'ScamWebsite' || details === name;
}

/** In characters: the operator's list stays small whatever a device reports. */
const matchMax = 120;

/** What was matched, and nothing about the person: of a file neither its folder nor what ran beside it, for people have names in their folders. */
export function matchOf(detection: Pick<ReportedDetection, 'name' | 'identifier' | 'category' | 'certainty' | 'details'>) {
  const { name, identifier, category, certainty, details } = detection;
  const path = details.replace(/ \([^()]*[\\/][^()]*\)$/, '');
  const file = isSite(detection) ? '' : (path.split(/[\\/]/).at(-1) ?? '');
  // It is printed on a terminal, and any device may send what it likes.
  const short = (text: string) => text.replace(/\p{C}+/gu, '?').slice(0, matchMax);
  return { identifier: short(identifier), name: short(name), category, certainty, file: short(file) };
}
