import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { IncidentState } from '@porchlight/contract/incidents.ts';
import { hour } from '@porchlight/contract/time.ts';
import { after } from '../../lib/clock.ts';

/** The alert of an older report says how old it is, and nobody is called about it. */
export const too_old_to_escalate = hour;
/** A further question or call for help in the same incident escalates again, this long after the last escalation began. */
export const again_after = hour;

/**
 * Remote control, what most often brings it, questions that wait and calls for help (P11.1, P15.9). Wrong PINs changed nothing, and a guardian
 * who stops everything is there already. `again`: somebody asked, and an earlier answer does not answer that.
 */
const escalates: Record<IncidentOpener, 'never' | 'once' | 'again'> = {
  started: 'once',
  allowed_started: 'once',
  weaker_started: 'once',
  // It most often brings remote control, and the caller who dictated it is on the phone.
  pasted_command: 'once',
  door: 'once',
  asked: 'again',
  second_act: 'again',
  help: 'again',
  pin_locked: 'never',
  guardian_stop: 'never',
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
  const escalation = escalates[opener];
  if (escalation === 'never' || after(time, too_old_to_escalate) <= now) return false;
  if (before !== 'open' || last_begun === null || last_begun < opened) return true;
  return escalation === 'again' && after(last_begun, again_after) <= now;
}
