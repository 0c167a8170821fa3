import { emergencyLimits, type MayPress, type PressRefusal } from '@porchlight/contract/emergency-stops.ts';
import { day, minute } from '@porchlight/contract/time.ts';
import { mayNotPressWords } from '@porchlight/contract/words/may-answer.ts';
import { after } from '../../lib/clock.ts';
import { timeWithDay, weekdayAndTime } from '../../texts/formatting.ts';

/** A second *I need help now* within this time is the same press. */
const help_repeated = 10 * minute;
/** Without a detection at a device for so long, its user can end a network isolation (P10.6). */
const may_end_after = day;

const yes: MayPress = { may: 'yes' };
const no = (refusal: Pick<PressRefusal, 'reason'> & Partial<PressRefusal>, inWords: (time: Date) => string): MayPress => {
  const facts = { holder: '', device: '', pressed: null, again: null, ...refusal };
  return { may: 'no', ...facts, why: mayNotPressWords(facts, inWords) };
};

export interface StopFacts {
  now: Date;
  time_zone: string;
  /** Whether a stop of the whole account is in force: pressing again changes nothing then. */
  in_force: boolean;
  /** When this guardian's press last opened an incident that nothing else prolonged; null if it did not. */
  lone_press: Date | null;
  /** The newest detection at any device of the account. */
  last_detection: Date | null;
}

/** Whether a guardian may press *Stop this* (P10.6): always, but not over and over with nothing else going on. */
export function mayStop({ now, time_zone, in_force, lone_press, last_detection }: StopFacts): MayPress {
  if (in_force || lone_press === null || (last_detection && last_detection > lone_press)) return yes;
  const again = after(lone_press, emergencyLimits.press_again_after);
  if (again <= now) return yes;
  return no(
    { reason: 'alone', pressed: lone_press.toISOString(), again: again.toISOString() },
    (time) => `on ${weekdayAndTime(time, time_zone)}`,
  );
}

export interface IsolationFacts {
  now: Date;
  time_zone: string;
  /** The same rule holds for both buttons. */
  may_stop: MayPress;
  /** What the holder chose for this guardian; null: nothing. */
  may_isolate: boolean | null;
  /** Whether somebody other than the holder uses the device, and this counts (P8.1). */
  someone_elses: boolean;
  device: string;
  /** The holder's first name. */
  holder: string;
  in_force: boolean;
  /** When the device's isolations of the last 24 hours began, the oldest first. */
  isolations: Date[];
}

/** Whether a guardian may press *Cut the internet there* (P10.6). */
export function mayIsolate(facts: IsolationFacts): MayPress {
  const { now, time_zone, may_stop, device, holder, in_force, isolations } = facts;
  if (may_stop.may === 'no') return may_stop;
  if (!(facts.may_isolate ?? facts.someone_elses)) return no({ reason: 'not_allowed', holder, device }, String);
  if (in_force) return yes;
  const counted = isolations.filter((time) => after(time, day) > now);
  const oldest = counted.at(-emergencyLimits.isolations_per_day);
  if (!oldest) return yes;
  const again = after(oldest, day).toISOString();
  return no({ reason: 'cut_twice', device, again }, (time) => `at ${timeWithDay(time, now, time_zone)}`);
}

/** Whether the user of a device can end its isolation. */
export const mayEndIsolation = (last_detection: Date | null, now: Date): boolean =>
  last_detection === null || after(last_detection, may_end_after) <= now;

/** Whether a press of *I need help now* is the same as the device's newest one before. Reports may arrive in another order. */
export const isHelpRepeated = (newest: Date | null, time: Date): boolean => newest !== null && time < after(newest, help_repeated);
