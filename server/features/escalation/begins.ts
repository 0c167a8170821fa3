import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { IncidentState } from '@porchlight/contract/incidents.ts';
import { hour } from '@porchlight/contract/time.ts';
import { after } from '../../lib/clock.ts';

/** The alert of an older report says how old it is, and nobody is called about it. */
export const too_old_to_escalate = hour;
/** A further call for help in the same incident escalates again, this long after the last escalation began. */
export const help_again_after = hour;

/** Openers with remote control, what most often brings it, and calls for help (P11.1). The others are changes that wait, or a guardian who is there already. */
const escalates: Record<IncidentOpener, boolean> = {
  started: true,
  allowed_started: true,
  weaker_started: true,
  // It most often brings remote control, and the caller who dictated it is on the phone.
  pasted_command: true,
  help: true,
  pin_locked: false,
  asked: false,
  second_act: false,
  guardian_stop: false,
};

export interface BeginFacts {
  opener: IncidentOpener;
  /** When it happened, perhaps before the server received the report. */
  time: Date;
  now: Date;
  /** The incident's state before; `none` for a new one. */
  before: 'none' | IncidentState;
  /** When the incident opened, or opened again. */
  opened: Date;
  /** When the incident's newest escalation began; null if it has none. */
  last_begun: Date | null;
}

/** Whether an opener begins an escalation: one for each opening of the incident, however often a program starts. */
export function beginsEscalation({ opener, time, now, before, opened, last_begun }: BeginFacts): boolean {
  if (!escalates[opener] || after(time, too_old_to_escalate) <= now) return false;
  if (before !== 'open' || last_begun === null || last_begun < opened) return true;
  return opener === 'help' && after(last_begun, help_again_after) <= now;
}
