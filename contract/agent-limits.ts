/** Business numbers as those of `limits.ts`, of the agent and what it tells the server alone: the dashboard would carry them to no use. In milliseconds where it is a time. */
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const agentLimits = {
  /** P2.6: so many wrong ones, and none is taken for so long, which doubles each time that it happens again. A right one begins anew. */
  pin_tries: 5,
  pin_lock: 15 * minute,
  /** Ours: it does not double without end. */
  pin_lock_max: 24 * hour,
  /** Ours: what was put into quarantine can be taken back so long, then it is deleted. */
  quarantine: 30 * day,
  /** Ours: how many things one look at a computer tells of. */
  scan_items_max: 200,
  /** P4.6 */
  pause_minutes: [1, 5, 10, 30, 60],
  pause_max: 60 * minute,
  /** Ours: what a device tells in one report at most, and how much of it it keeps for a server that is away. */
  news_per_report: 100,
  news_kept: 1000,
  /** Ours: of so many detections that wait for a server that is away, each is kept; beyond that those of which somebody would hear. */
  detections_kept: 5000,
} as const;
