import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db } from './open.ts';

/** How long an email link is still reported as expired or used. */
const link_retention_ms = 30 * 24 * 3_600_000;

/** How long an operator can look up the SMS budgets of past days. */
const budget_retention_ms = 30 * 24 * 3_600_000;

/** Networks of devices count for a day (P10.2), and up to ten minutes longer, the interval of writes. */
const device_network_retention_ms = 25 * 3_600_000;

/** Network isolations count for a day, and guardians' presses are in the incident's events (P10.6). */
const emergency_retention_ms = 7 * 24 * 3_600_000;
/** Calls have phone numbers; the steps of an escalation have whom they were for. */
const call_retention_ms = 90 * 24 * 3_600_000;
/** One-time codes are of no use after 20 minutes (P10.7). */
const code_retention_ms = 24 * 3_600_000;

export const deleteExpired = (db: Db) => async (now: Date) => {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  await db.deleteFrom('rate_counts').where('ends', '<=', now).execute();
  await db.deleteFrom('code_callers').where('ends', '<=', now).execute();
  // Not at once: the clock of another server may be slower.
  await db.deleteFrom('used_passkey_questions').where('ends', '<=', ago(serverLimits.passkey_question_life)).execute();
  await db.deleteFrom('known_networks').where('used', '<=', ago(serverLimits.network_known)).execute();
  await db.deleteFrom('device_networks').where('seen', '<=', ago(device_network_retention_ms)).execute();
  await db.deleteFrom('emergency_stops').where('until', '<=', ago(emergency_retention_ms)).execute();
  await db.deleteFrom('network_isolations').where('until', '<=', ago(emergency_retention_ms)).execute();
  await db.deleteFrom('calls').where('created', '<=', ago(call_retention_ms)).execute();
  await db.deleteFrom('answer_codes').where('expires', '<=', now).execute();
  await db.deleteFrom('one_time_codes').where('time', '<=', ago(code_retention_ms)).execute();
  await db.deleteFrom('budgets').where('day', '<=', ago(budget_retention_ms).toISOString().slice(0, 10)).execute();
  await db.deleteFrom('sessions').where('last_used', '<=', ago(serverLimits.session_unused)).execute();
  await db.deleteFrom('jobs').where('failed_at', '<=', ago(serverLimits.dead_letter_life)).execute();
  await db.deleteFrom('email_links').where('expires', '<=', ago(link_retention_ms)).execute();
};
