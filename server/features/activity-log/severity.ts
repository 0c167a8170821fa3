import type { ActKind, WeakeningAct } from '@porchlight/contract/care.ts';

/**
 * - `severe`: everyone is notified at once by email and text, in a message of its own, however much else was done before (P10.4).
 * - `mild`: everyone is notified by email; where there are many, some are gathered.
 */
type ActSeverity = 'severe' | 'mild';

/** Every kind decides. `remote_control`: severe where the act gives remote control, mild otherwise. */
const severities: Record<ActKind, ActSeverity | 'remote_control'> = {
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
  silence_later: 'mild',
  pin_guessed: 'severe',
  moved: 'severe',
  undone: 'severe',
  leaving: 'severe',
  left: 'severe',
  person_changed: 'severe',
  asked: 'mild',
};

export function severityOf({ kind, remote_control }: Pick<WeakeningAct, 'kind' | 'remote_control'>): ActSeverity {
  const severity = severities[kind];
  if (severity !== 'remote_control') return severity;
  return remote_control ? 'severe' : 'mild';
}
