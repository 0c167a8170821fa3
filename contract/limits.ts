/**
 * The business numbers that pages need too, named once, with the clause they come from. Times are in milliseconds unless the name says
 * otherwise. The others are in `server-limits.ts`: every page carries all of these with it.
 */

const second = 1_000;
const minute = 60 * second;

export const limits = {
  /** 5.2, 9.1 */
  password_min: 12,
  /** 9.1 */
  trial_days: 14,
  /** 2.118, 9.1: percent. */
  yearly_saving: 33,
  /** 4.20, 9.7: the first wait, how it grows, and the wait that is too long. */
  payment_poll_first: 300,
  payment_poll_factor: 1.5,
  payment_poll_max: 30 * second,
  /** 5.20, 9.9 */
  guardian_name_max: 40,
  /** 5.20, 9.9; used for every address. */
  email_max: 400,
  /** Ours: a person's or a device's name. */
  name_max: 100,
  /** Ours: the text of a promo code. */
  promo_code_max: 100,
  /** 5.23, 9.10 */
  domain_search_max: 253,
  /** 4.37, 9.4 */
  allow_list_success_shown: 20 * second,
  /** Ours */
  policies_max: 20,
  policy_name_max: 40,
  /** 2.116, 9.9: how much of a guardian's email the success message shows. */
  guardian_email_shown: 40,
  /** 9.5 */
  local_app_poll: 500,
  local_app_tries: 120,
  device_rescan: 10 * second,
  scan_after_setup: 120 * second,
  download_restart_cooldown: 5 * second,
  /** 2.56, 9.6 */
  copied_in_list: 2 * second,
  /** 9.6: the share and send screens. */
  copied_on_share: 3 * second,
  /** 4.23, 9.4 */
  success_delay: 300,
  success_shown: 10 * second,
  /** 2.106, 9.6 */
  pin_copied: 3 * second,
  /** 9.8 */
  detections_page: 25,
  /** 9.13 */
  loopback_port: 23407,
  /** 9.10 */
  phone_input_max: 250,
  /** 5.18, 9.10, P2.5 */
  phone_code_digits: 6,
  /** P2.3, P2.5 */
  resend_wait: 60 * second,
  /** A device that the server has heard within this time counts as connected. The long poll renews it. */
  device_connected: 5 * minute,
} as const;

/** 3.2: the timestamp that means "none". */
export const zero_time = '0001-01-01T00:00:00Z';
