/** Every business number, named once, with the clause it comes from. Times are in milliseconds unless the name says otherwise. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const limits = {
  /** 5.2, 9.1 */
  password_min: 12,
  /** Ours: argon2 hashes what it is given, so a body of a megabyte must not reach it. */
  password_max: 200,
  /** 9.1 */
  trial_days: 14,
  /** 2.118, 9.1: percent. */
  yearly_saving: 33,
  /** P6.3 */
  plan_ends_notice: 3 * day,
  /** 4.20, 9.7: the first wait, how it grows, and the wait that is too long. */
  payment_poll_first: 300,
  payment_poll_factor: 1.5,
  payment_poll_max: 30 * second,
  /** 5.20, 9.9 */
  guardian_name_max: 40,
  /** 5.20, 9.9; used for every address. */
  email_max: 400,
  /** Ours: a mail has under 90 words, the lines at its end apart. */
  letter_words: 89,
  /** Ours: a person's or a device's name. */
  name_max: 100,
  /** Ours: the text of a promo code, and of a sign-up code. */
  promo_code_max: 100,
  signup_code_max: 40,
  /** Ours: the text of a price's id. */
  price_id_max: 100,
  /** 5.23, 9.10 */
  domain_search_max: 253,
  /** Ours: far more than anyone needs, and few enough for a policy to stay small. */
  exceptions_max: 200,
  /** 4.37, 9.4 */
  allow_list_success_shown: 20 * second,
  /** Ours */
  policies_max: 20,
  policy_name_max: 40,
  /** P5.1 */
  guardians_max: 5,
  /** P5.1 */
  guardian_invitation: 14 * day,
  /** What is shown of a guardian's looks. A look counts anew after so long: an open page asks again and again. */
  looks_page: 100,
  look_counts: 10 * minute,
  /** P5.2: how many alerts a guardian sees. */
  guardian_alerts: 25,
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
  /** P3.1: eight characters in two groups, without 0 O 1 I L. */
  device_code_alphabet: 'ABCDEFGHJKMNPQRSTUVWXYZ23456789',
  device_code_length: 8,
  device_code_life: 7 * day,
  /** P1.5 */
  session_unused: 30 * day,
  /** P2.1 */
  confirm_link_life: 24 * hour,
  reset_link_life: 1 * hour,
  /** P2.4: how long the old address can take a change back. */
  email_undo: 7 * day,
  /** 9.10 */
  phone_input_max: 250,
  phone_national_max: 17,
  /** 5.18, 9.10, P2.5 */
  phone_code_digits: 6,
  phone_code_life: 10 * minute,
  phone_code_tries: 5,
  /** P2.6 */
  pin_digits: 6,
  /** P2.3, P2.5 */
  resend_wait: 60 * second,
  /** P5.3, P4.4 */
  alert_grouping: 10 * minute,
  /** A program that was stopped and is back within this time was only started again. */
  stopped_grace: 10 * minute,
  /** The same act on the same device again within this time is not told again. */
  acts_grouping: 10 * minute,
  /** How many acts are told one by one within that time; the rest is told in one mail. */
  acts_one_by_one: 5,
  /** What is shown of the acts. */
  acts_page: 100,
  fire_drills_per_hour: 3,
  /** How long the server holds an agent's long poll; half of the minute in which a change must arrive after a lost connection. */
  agent_wait_seconds: 25,
  /** A device that the server has heard within this time counts as connected. The long poll renews it. */
  device_connected: 5 * minute,
  /** What a device sends in one report at most. */
  detections_per_report: 100,
  /** What a sign-up code gives when nothing else is said. */
  signup_code_devices: 5,
} as const;

/** 3.2: the timestamp that means "none". */
export const zero_time = '0001-01-01T00:00:00Z';
