import { serverLimits as limit } from '@porchlight/contract/server-limits.ts';

/** The facts about a device that was awake and went offline without a goodbye. Times in milliseconds. */
export interface Silent {
  /** Time since it was last seen; only the server's uptime counts. */
  silent: number;
  /** Something was stopped there, or protection weakened, within the hour before it was last seen. */
  trouble: boolean;
  /** Its agent says goodbye before the computer sleeps. One that does not may only be asleep. */
  says_sleep: boolean;
  /** How many of its outages within the last two weeks turned out to be bad Wi-Fi. */
  offline_spells: number;
  /** The server refuses calls of agents because too many come: a short outage means nothing then. */
  refusing: boolean;
}

/** `wait`: undecided. `notify`: an outage. `days`: not alarming; it counts after as many days as the holder chose. */
export type OutageVerdict = 'wait' | 'notify' | 'days';

/** Decides whether people are notified of an outage without a goodbye within minutes (P12.7). */
export function outageVerdict({ silent, trouble, says_sleep, offline_spells, refusing }: Silent): OutageVerdict {
  // A scammer ends the agent while working on the computer: neither bad Wi-Fi nor a closed lid may hide that.
  if (trouble && silent >= (refusing ? limit.outage_quiet : limit.outage_alarmed)) return 'notify';
  if (silent < limit.outage_quiet) return 'wait';
  return says_sleep && offline_spells < limit.offline_spells ? 'notify' : 'days';
}

/** What is known of the others, as one device is judged. */
export interface Hearing {
  /** How many devices went offline together, this one included. */
  together: number;
  /** How many devices were seen within the last minutes. */
  heard: number;
  /** Whether another device was seen after these went offline. */
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
