import { minute, second } from './time.ts';

/**
 * Business numbers that pages need too, with their clauses; every page loads all of them. In milliseconds unless the name says otherwise.
 * Numbers without a clause are our choice.
 */

export const limits = {
  /** Clauses 5.2, 9.1. */
  password_min: 12,
  /** Clause 9.1. */
  trial_days: 14,
  /** Percent (2.118, 9.1). */
  yearly_saving: 33,
  /** The payment poll's waits; polling ends above `max` (4.20, 9.7). */
  payment_poll_first: 300,
  payment_poll_factor: 1.5,
  payment_poll_max: 30 * second,
  /** Clauses 5.20, 9.9. */
  guardian_name_max: 40,
  /** For every email address (5.20, 9.9). */
  email_max: 400,
  name_max: 100,
  promo_code_max: 100,
  /** Clauses 5.23, 9.10. */
  domain_search_max: 253,
  /** Clauses 4.37, 9.4. */
  allow_list_success_shown: 20 * second,
  policies_max: 20,
  policy_name_max: 40,
  /** Own money sites of an account, and as many that never rest (P12.6). */
  money_sites_max: 20,
  /** The websites that an account lets send notifications (P15.5). */
  notification_origins_max: 20,
  /** Characters of the email in the success message (2.116, 9.9). */
  guardian_email_shown: 40,
  /** Clause 9.5. */
  local_app_poll: 500,
  local_app_tries: 120,
  device_rescan: 10 * second,
  scan_after_setup: 120 * second,
  download_restart_cooldown: 5 * second,
  /** Clauses 2.56, 9.6. */
  copied_in_list: 2 * second,
  /** For copy buttons on the share and send screens (9.6). */
  copied_on_share: 3 * second,
  /** Clauses 4.23, 9.4. */
  success_delay: 300,
  success_shown: 10 * second,
  /** Clauses 2.106, 9.6. */
  pin_copied: 3 * second,
  /** Clause 9.8. */
  detections_page: 25,
  /** Clause 9.13. */
  loopback_port: 23407,
  /** Clause 9.10. */
  phone_input_max: 250,
  /** Clauses 5.18, 9.10, P2.5. */
  phone_code_digits: 6,
  /** Clauses P2.3, P2.5. */
  resend_wait: 60 * second,
  /** Counted from the last report, which the long poll renews. */
  device_connected: 5 * minute,
} as const;

/** The timestamp that means "none" (3.2). */
export const zero_time = '0001-01-01T00:00:00Z';
