/** Business numbers as those of `limits.ts`, of the agent and what it tells the server alone: the dashboard would carry them to no use. In milliseconds where it is a time. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const agentLimits = {
  /** P2.6: so many wrong ones, and none is taken for so long, which doubles each time that it happens again. A right one begins anew. */
  pin_tries: 5,
  pin_lock: 15 * minute,
  /** Ours: it does not double without end. */
  pin_lock_max: 24 * hour,
  /** P10.9: so long after its account a computer asks for its PIN, and stays a device that the server does not know. */
  after_account: 24 * hour,
  /** Ours: what was put into quarantine can be taken back so long, then it is deleted. */
  quarantine: 30 * day,
  /** Ours: a larger file is not put away, in bytes: whoever makes one could fill the disk. */
  quarantine_file_max: 1024 ** 3,
  /** Ours: how many things one look at a computer tells of. */
  scan_items_max: 200,
  /** P4.6 */
  pause_minutes: [1, 5, 10, 30, 60],
  pause_max: 60 * minute,
  /** Ours: of so many detections one check-in asks who was told of them, and none is older. */
  told_asks: 3,
  told_age: day,
  /** P10.8: a question whose computer this is to be can be answered with yes after so long, and is answered with no after so long. */
  yes_after: 10 * second,
  question_open: 10 * minute,
  /** P10.8: so long after it changed hands nothing weaker than strict is in force, and the change can be undone without a PIN. */
  first_day: day,
  /** P10.8: so long before an administrator of the computer leaves the account its holder knows of it. */
  leave_notice: day,
  /** Ours: what a device tells in one report at most, and how much of it it keeps for a server that is away. */
  news_per_report: 100,
  news_kept: 1000,
  /** Ours: of so many detections that wait for a server that is away, each is kept; beyond that those of which somebody would hear. */
  detections_kept: 5000,
} as const;
