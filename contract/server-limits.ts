/** Business numbers as those of `limits.ts`, which no page needs. In milliseconds unless the name says otherwise. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const serverLimits = {
  /** Ours: argon2 hashes what it is given, so a body of a megabyte must not reach it. */
  password_max: 200,
  /** P6.3 */
  plan_ends_notice: 3 * day,
  /** Ours: a mail has under 90 words, the lines at its end apart. */
  letter_words: 89,
  /** Ours: the text of a sign-up code. */
  signup_code_max: 40,
  /** Ours: the text of a price's id. */
  price_id_max: 100,
  /** Ours: far more than anyone needs, and few enough for a policy to stay small. */
  exceptions_max: 200,
  /** P5.1 */
  guardians_max: 5,
  /** P5.1 */
  guardian_invitation: 14 * day,
  /** What is shown of a guardian's looks. A look counts anew after so long: an open page asks again and again. */
  looks_page: 100,
  look_counts: 10 * minute,
  /** P5.2: how many alerts a guardian sees. */
  guardian_alerts: 25,
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
  phone_national_max: 17,
  /** 5.18, 9.10, P2.5 */
  phone_code_life: 10 * minute,
  phone_code_tries: 5,
  /** P2.6 */
  pin_digits: 6,
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
  /** What a device sends in one report at most. */
  detections_per_report: 100,
  /** Ours: how many bytes the body of a call has at most, unless its endpoint says otherwise. */
  body_max: 256 * 1024,
  /** Ours: how many bytes one thing that a device reports has at most: 2,500 characters of text, six bytes each, and the rest of it. */
  reported_max: 16 * 1024,
  /** What a sign-up code gives when nothing else is said. */
  signup_code_devices: 5,
} as const;
