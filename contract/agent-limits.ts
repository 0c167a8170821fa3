/** Business numbers as those of `limits.ts`, for the agent and its reports to the server: the dashboard does not need them and would only become heavier. Times are in milliseconds. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const agentLimits = {
  /** P2.6: after so many wrong PINs the agent takes none for so long, and twice as long each time that it happens again. A right PIN resets both. */
  pin_tries: 5,
  pin_lock: 15 * minute,
  /** Ours: it does not double without end. */
  pin_lock_max: 24 * hour,
  /** P10.9: so long after its account a computer asks for its PIN, and stays a device that the server does not know. */
  after_account: 24 * hour,
  /** Ours: what was put into quarantine can be taken back so long, then it is deleted. */
  quarantine: 30 * day,
  /** Ours: the agent quarantines no larger file, in bytes: an attacker could fill the disk with one. */
  quarantine_file_max: 1024 ** 3,
  /** Ours: how many things the agent reports of one scan. */
  scan_items_max: 200,
  /** P4.6 */
  pause_minutes: [1, 5, 10, 30, 60],
  pause_max: 60 * minute,
  /** Ours: one check-in asks for the deliveries of so many detections, and of none that is older. */
  told_asks: 3,
  told_age: day,
  /** P10.8: a question whose computer this is to be can be answered with yes after so long, and is answered with no after so long. */
  yes_after: 10 * second,
  question_open: 10 * minute,
  /** P10.8: so long after it changed hands nothing weaker than strict is in force, and the change can be undone without a PIN. */
  first_day: day,
  /** P10.8: so long before an administrator of the computer leaves the account its holder knows of it. */
  leave_notice: day,
  /** Ours: how many events a device reports at once, and how many it stores while the server is away. */
  news_per_report: 100,
  news_kept: 1000,
  /** Ours: while the server is away the agent stores every detection up to this number, and beyond it only those that notify somebody. */
  detections_kept: 5000,
} as const;
