import { day, hour, minute, second } from './time.ts';

/**
 * The agent's limits, apart from `limits.ts` because the dashboard does not need them. Times are in milliseconds. Numbers without a clause
 * are our choice.
 */

export const agentLimits = {
  /**
   * P2.6: after `pin_tries` wrong PINs the agent accepts none for `pin_lock`, which doubles each time. A right PIN resets count and lock.
   */
  pin_tries: 5,
  pin_lock: 15 * minute,
  /** The longest lock after wrong PINs. */
  pin_lock_max: 24 * hour,
  /** P10.9: how long after an account ends the computer still asks for its PIN. */
  after_account: 24 * hour,
  /** A quarantined file is deleted after this time. */
  quarantine: 30 * day,
  /** Bytes; an attacker could fill the disk with a larger file. */
  quarantine_file_max: 1024 ** 3,
  scan_items_max: 200,
  /** Clause P4.6. */
  pause_minutes: [1, 5, 10, 30, 60],
  pause_max: 60 * minute,
  /** How many detections' deliveries one check-in may request, and the highest age of such a detection. */
  delivery_requests_max: 3,
  delivery_age_max: day,
  /** P10.8: the question of who owns the computer accepts a yes after the first time, and counts as a no after the second. */
  yes_after: 10 * second,
  question_open: 10 * minute,
  /** P10.8: for so long after a change of owner the policy is at least strict, and the change can be undone without a PIN. */
  first_day: day,
  /** P10.8: notice before a computer leaves the account. */
  leave_notice: day,
  /** Events in a report, and events stored while the server is unreachable. */
  events_per_report: 100,
  events_stored_max: 1000,
  /** Detections stored while the server is unreachable; beyond this number only those that notify somebody. */
  detections_stored_max: 5000,
} as const;
