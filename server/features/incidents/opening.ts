import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import { type IncidentOpener, suspicious_after } from '@porchlight/contract/incident-events.ts';
import type { DetectionCategory } from '@porchlight/contract/shapes.ts';
import type { StartRules } from '../../incident-ports.ts';

/** A program that an agent reports. `site`: a visited site, or a program's site. `start`: by a person, or by log-on, a service or a scheduled task. */
export interface StartFact extends Omit<StartRules, 'waits_for'> {
  category: DetectionCategory;
  site: boolean;
  start: 'person' | 'system';
}

/** What a start opens; null if nothing (P9.1, P12.4). */
export function openerOfStart(fact: StartFact): IncidentOpener | null {
  if (fact.category === 'PastedCommand') return 'pasted_command';
  if (fact.category === 'Door') return 'door';
  if (fact.category !== 'RemoteControl' || fact.site) return null;
  const isRecent = (since: number | null) => since !== null && since < suspicious_after;
  if (fact.allowed) return isRecent(fact.since_allowed) ? 'allowed_started' : null;
  if (isRecent(fact.since_weaker)) return 'weaker_started';
  if (fact.action !== 'block' || fact.start === 'system') return null;
  return 'started';
}

/** What a report from a device opens, besides starts; null if nothing. `locked_today`: wrong PINs opened one within 24 hours. */
export function openerOfReport(kind: ActivityKind, { locked_today }: { locked_today: boolean }): IncidentOpener | null {
  if (kind === 'asked') return 'asked';
  return kind === 'pin_guessed' && !locked_today ? 'pin_locked' : null;
}
