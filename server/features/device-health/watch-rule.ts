import { serverLimits as limit } from '@porchlight/contract/server-limits.ts';

/** What is known of a device that was awake and is not heard any more, without a goodbye. Times in milliseconds. */
export interface Silent {
  /** Since it was last heard; only time in which devices could be heard counts. */
  silent: number;
  /** Something was stopped there, or protection weakened, within the hour before it was last heard. */
  trouble: boolean;
  /** Its agent says goodbye before the computer sleeps. One that does not may only be asleep. */
  says_sleep: boolean;
  /** How often it fell silent within the last two weeks and turned out to have been offline only. */
  offline_spells: number;
  /** Calls of agents are refused, because more come than can be answered: a short silence says nothing. */
  refusing: boolean;
}

/** `wait`: nothing yet. `notify`: it is an outage. `days`: its silence says nothing; it counts after as many days as the holder chose. */
export type OutageVerdict = 'wait' | 'notify' | 'days';

/** Whether a silence without a goodbye is an outage that people hear of within minutes (P12.7). */
export function outageVerdict({ silent, trouble, says_sleep, offline_spells, refusing }: Silent): OutageVerdict {
  // Who ends the agent does it while they work on the computer. Neither Wi-Fi that often fails nor a lid that says nothing hides that.
  if (trouble && silent >= (refusing ? limit.outage_quiet : limit.outage_alarmed)) return 'notify';
  if (silent < limit.outage_quiet) return 'wait';
  return says_sleep && offline_spells < limit.offline_spells ? 'notify' : 'days';
}

/** What is known of the others, as one device is judged. */
export interface Hearing {
  /** How many fell silent together with it, with itself. */
  together: number;
  /** How many were heard within the last minutes. */
  heard: number;
  /** Was any other heard after these fell silent? */
  heard_since: boolean;
  /** For how long they wait already, in milliseconds. */
  waited: number;
}

/**
 * `own`: our own network, or that of many, is down, and nobody's silence says anything about their computer. `tired`: that would be said for too long, while
 * others are heard. Only those that fell silent together count: whoever lets a device fall silent holds back none that falls silent at another time.
 */
export function networkVerdict({ together, heard, heard_since, waited }: Hearing): 'own' | 'tired' | 'theirs' {
  if (!heard_since) return together >= 2 ? 'own' : 'theirs';
  if (together < limit.outage_many || together * limit.outage_share <= heard) return 'theirs';
  return waited < limit.outage_held ? 'own' : 'tired';
}
