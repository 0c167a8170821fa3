import type { ActivityKind, WeakeningActivity } from '@porchlight/contract/activity-log.ts';

/**
 * - `severe`: causes an immediate email and text message, never grouped (P10.4).
 * - `mild`: causes an email, grouped when there are many.
 */
type ActSeverity = 'severe' | 'mild';

/** `remote_control`: severe only if the act enables remote control. */
const severities: Record<ActivityKind, ActSeverity | 'remote_control'> = {
  pin_shown: 'severe',
  pin_reset: 'severe',
  allowed: 'remote_control',
  profile_chosen: 'severe',
  profile_changed: 'severe',
  paused: 'severe',
  uninstalled: 'severe',
  device_removed: 'severe',
  guardian_added: 'severe',
  guardian_removed: 'severe',
  email_changed: 'severe',
  phone_changed: 'severe',
  password_changed: 'severe',
  alerts_off: 'severe',
  outage_later: 'mild',
  browsers_off: 'severe',
  resolver_off: 'severe',
  notifications_allowed: 'mild',
  pin_guessed: 'severe',
  moved: 'severe',
  undone: 'severe',
  leaving: 'severe',
  left: 'severe',
  person_changed: 'severe',
  ask_first_off: 'severe',
  isolation_off: 'mild',
  guardians_reordered: 'mild',
  call_consent_off: 'mild',
  sign_in_added: 'severe',
  sign_in_removed: 'severe',
  recovery_codes_made: 'severe',
  recovery_code_used: 'severe',
  logged_out_everywhere: 'mild',
  account_downloaded: 'severe',
  deletion_asked: 'severe',
  deletion_stopped: 'mild',
  unlisted_off: 'severe',
  helping: 'mild',
  asked: 'mild',
  device_added: 'mild',
  device_unknown: 'mild',
  left_out: 'mild',
};

export function severityOf({ kind, remote_control }: Pick<WeakeningActivity, 'kind' | 'remote_control'>): ActSeverity {
  const severity = severities[kind];
  if (severity !== 'remote_control') return severity;
  return remote_control ? 'severe' : 'mild';
}
