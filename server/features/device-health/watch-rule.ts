import { serverLimits as limit } from '@porchlight/contract/server-limits.ts';

/** A device that went offline without a goodbye message. Times in milliseconds. */
export interface OfflineDevice {
  /** Time since the device was last seen, counting only the server's uptime. */
  silent: number;
  /** A detection or weakening act in the hour before it went offline. */
  trouble: boolean;
  /** Whether the device's agent reports sleep. A silent device without such reports may only be asleep. */
  says_sleep: boolean;
  /** Outages within two weeks that were caused by bad Wi-Fi. */
  offline_spells: number;
  /** The server is overloaded and refuses agents, so short outages mean nothing. */
  refusing: boolean;
}

/** `days`: people are notified only after the days the holder chose. */
export type OutageVerdict = 'wait' | 'notify' | 'days';

/** Whether people are notified of an outage within minutes (P12.7). */
export function outageVerdict({ silent, trouble, says_sleep, offline_spells, refusing }: OfflineDevice): OutageVerdict {
  // A scammer may have ended the agent, so neither bad Wi-Fi nor sleep excuses the outage.
  if (trouble && silent >= (refusing ? limit.outage_quiet : limit.outage_alarmed)) return 'notify';
  if (silent < limit.outage_quiet) return 'wait';
  return says_sleep && offline_spells < limit.offline_spells ? 'notify' : 'days';
}

/** The state of the other devices while one is offline. */
export interface NetworkState {
  /** The number of devices that went offline together, including the device in question. */
  together: number;
  /** The number of devices seen within the last minutes. */
  online: number;
  /** Whether another device was seen after the devices of `together` went offline. */
  seenSince: boolean;
  waited: number;
}

/** Times in milliseconds since 1970. `counts_since`: when the wait of the device began, later than `last_seen` if the server was down. */
export interface OfflineTimes {
  uuid: string;
  last_seen: number;
  counts_since: number;
}

/** Compares an offline device with the others, of which those that went offline within a few minutes of it did so together. */
export function networkState(
  { uuid, last_seen, counts_since }: OfflineTimes,
  others: { last_seen: Map<string, number>; online: number },
  now: number,
): NetworkState {
  const otherTimes = [...others.last_seen].flatMap(([other, time]) => (other === uuid ? [] : [time]));
  const onlineAfter = Math.min(last_seen + limit.outage_together, now - limit.outage_alarmed);
  return {
    together: 1 + otherTimes.filter((time) => Math.abs(time - last_seen) <= limit.outage_together && time <= onlineAfter).length,
    online: others.online,
    seenSince: otherTimes.some((time) => time > onlineAfter),
    waited: now - counts_since,
  };
}

/**
 * `own`: the network of the server or of many devices is down. `tired`: the network has been down for too long. Only devices that went
 * offline together count, so that an attacker's devices cannot hide other outages.
 */
export function networkVerdict({ together, online, seenSince, waited }: NetworkState): 'own' | 'tired' | 'theirs' {
  if (!seenSince) return together >= 2 ? 'own' : 'theirs';
  if (together < limit.outage_many || together * limit.outage_share <= online) return 'theirs';
  return waited < limit.outage_wait_max ? 'own' : 'tired';
}
