/** Business numbers that no page needs. In milliseconds unless the name says otherwise. Numbers without a clause are our choice. */
import { day, hour, minute, second } from './time.ts';

export const serverLimits = {
  /** Argon2 hashes its whole input, so a body of a megabyte must not reach it. */
  password_max: 200,
  /** Clause P6.3. */
  plan_ends_notice: 3 * day,
  /** Words of an email without its footer. */
  email_words_max: 89,
  /** Of these, words below the heading, without titles and buttons: what a frightened reader has to read. */
  email_body_words_max: 60,
  signup_code_max: 40,
  price_id_max: 100,
  /** Keeps policies small. */
  exceptions_max: 200,
  /** Clause P5.1. */
  guardians_max: 5,
  /** Clause P5.1. */
  guardian_invitation: 14 * day,
  /** Shown page visits, and the pause after which a request counts as a new visit. */
  page_visits_shown: 100,
  page_visit_gap: 10 * minute,
  /** Alerts on a guardian's page (P5.2). */
  guardian_alerts: 25,
  /** How long a device code works (P3.1). */
  device_code_life: 7 * day,
  /** Clause P1.5. */
  session_unused: 30 * day,
  /** Clause P13.1. */
  session_life: 90 * day,
  /** P2.7: registrations of an IPv4 address or an IPv6 network of 64 bits, of an IPv6 network of 48 bits, and of the whole service. */
  registrations_per_caller: 20,
  registrations_per_wide_network: 80,
  registrations_within: 10 * minute,
  registrations_of_all: 600,
  registrations_of_all_within: hour,
  passkeys_max: 10,
  /** How long a browser may take to answer a question for a passkey. */
  passkey_question_life: 5 * minute,
  authenticator_setup_life: 15 * minute,
  /** How many passkeys and authenticator apps a holder can add in a day, since there is an email about each. */
  sign_in_additions_per_day: 20,
  /** How long the link of that email removes the new one. */
  remove_sign_in_link_life: 7 * day,
  recovery_codes: 10,
  /** Clause P13.2: how long a deletion can be taken back. */
  deletion_wait: 7 * day,
  /** The longest time that browsers store a cookie. */
  guardian_session_life: 400 * day,
  /** Clause P2.1. */
  confirm_link_life: 24 * hour,
  reset_link_life: 1 * hour,
  /** How long the old email address can undo the change (P2.4). */
  email_undo: 7 * day,
  /** Clause 9.10. */
  phone_national_max: 17,
  /** Clauses 5.18, 9.10, P2.5. */
  phone_code_life: 10 * minute,
  phone_code_tries: 5,
  /** P11.5: texts with codes in 24 hours: to a person, to all guardians of an account, and for one caller. */
  phone_codes_per_day: 5,
  guardian_phone_codes_per_day: 10,
  phone_codes_per_caller: 10,
  /** P11.5: calls that ask for consent in 24 hours: of an account, and to one number for all accounts together. */
  consent_calls_per_account: 5,
  consent_calls_per_number: 3,
  /** How long a call that asks for consent counts as going on without a report of its end. */
  consent_call_max: 5 * minute,
  /** P11.5: alert texts in 24 hours for an account, and as many for the activity log. Emails continue. */
  alert_texts_per_day: 60,
  /** Extra texts for severe kinds that had no text for `activity_texts_reserved_for`, so that one kind cannot use up the others' share. */
  activity_texts_reserved: 60,
  activity_texts_reserved_for: hour,
  /** A11: how many unknown codes the whole service looks up at once, and each minute. */
  unknown_codes: 20,
  unknown_codes_per_minute: 6,
  /** Beyond `unknown_codes` everybody who types a code waits once; four times longer for each unknown code they typed within a day. */
  code_wait: 20 * second,
  code_wait_max: hour,
  /** P2.7: wrong passwords for an account: from one network, and from all unknown networks together. */
  login_tries: 10,
  login_tries_within: 5 * minute,
  login_tries_elsewhere: 30,
  login_tries_elsewhere_within: hour,
  /** P13.1: the same for codes after the right password, over a longer time, since a code of six digits is guessed sooner. */
  login_code_tries: 10,
  login_code_tries_within: hour,
  login_code_tries_elsewhere: 30,
  login_code_tries_elsewhere_within: day,
  /** P13.1: from how many wrong codes within an hour, after the right password in an unknown browser, the holder gets an email. */
  login_code_warning: 3,
  login_code_warning_within: hour,
  login_code_warning_every: day,
  /** A network without a login for this long is unknown again. */
  network_known: 90 * day,
  /** Clause P2.6. */
  pin_digits: 6,
  /** A device gets the PIN's hash after being connected for this long, without gaps above `use_gap`. */
  pin_hash_after: 1 * hour,
  use_gap: 5 * minute,
  /** PIN tries of all devices of an account that do not have the PIN's hash yet. One device accepts five. */
  pin_tries: 10,
  pin_tries_per: 15 * minute,
  pin_tries_day: 40,
  /** Old link keys stay valid as long as a device code. */
  link_key_overlap: 7 * day,
  /** Old policy keys stay valid for policies in transit. */
  policy_key_overlap: 10 * minute,
  /** P9.6: false alarms of one account in 24 hours, so that one person cannot distort the figures. */
  wrong_alerts_per_day: 20,
  /** A user's request concerns programs stopped within this time before it. */
  request_age_max: 7 * day,
  /** Clauses P5.3, P4.4. */
  alert_grouping: 10 * minute,
  /** P15.9: quiet alerts of an account within `quiet_alerts_per` that are emailed by themselves; those after them share one email. */
  quiet_alerts_alone: 2,
  quiet_alerts_per: 1 * day,
  /** P15.9: after remote control or a pasted command, somebody counts as on the line for this long. */
  on_the_line: 1 * hour,
  /** An agent that runs again this soon after a stop was only restarted. */
  stopped_grace: 10 * minute,
  /** P12.7: how long an unexplained silence lasts until it is an outage; `alarmed`: after recent trouble. */
  outage_quiet: 15 * minute,
  outage_alarmed: 2 * minute,
  /** P12.7: a stop or weakened protection this recent counts as trouble. */
  outage_trouble: 1 * hour,
  /** For a device that was offline this often, being offline alone is no outage. */
  offline_spells: 3,
  offline_spells_in: 14 * day,
  /** This many devices offline together, or more than one in `outage_share`, suggest that our own network is down. */
  outage_many: 5,
  outage_share: 20,
  /** Devices whose last reports are at most this far apart went offline together. */
  outage_together: 3 * minute,
  /**
   * How long devices that went offline together wait while others report; then silence counts after days, or at once after recent trouble.
   */
  outage_wait_max: 1 * hour,
  /** A refused agent retries within this time; until then `outage_alarmed` does not apply. */
  outage_refused: 4 * minute,
  /** How often the server looks for outages. A gap of two intervals is an outage of the server itself. */
  outage_poll: 1 * minute,
  outages_per_poll: 200,
  away_seconds_max: 3_153_600_000,
  /** Equal activity-log entries within this time do not notify again. */
  activity_grouping: 10 * minute,
  /**
   * Mild activity-log entries that notify separately within `activity_grouping`. The next one notifies as a flood; the rest share one
   * email.
   */
  activity_separate_max: 5,
  /** P10.4: severe activity-log entries of one kind on one device that notify separately within `activity_grouping`. */
  severe_activity_separate_max: 10,
  activity_page: 100,
  fire_drills_per_hour: 3,
  /** So that a change reaches an agent within a minute, also after a lost connection. */
  agent_wait_seconds: 25,
  /** P14.5: how long an agent's call waits for a change, and after how many seconds of silence it gets a byte. */
  poll_seconds: 240,
  poll_byte_seconds: 25,
  /** P14.5: how often the time of the last contact is written for all connected devices. */
  presence_interval: 1 * minute,
  /** The longest time over which the agents of a server that stops return to the others. */
  return_spread_max: 1 * minute,
  detections_per_report: 100,
  /** Lets all agents of a busy server connect within a second. */
  backlog: 4096,
  /** Bytes, unless the endpoint says otherwise. */
  body_max: 256 * 1024,
  /** Bytes: 2,500 characters of up to six bytes each, and the rest of the report. */
  reported_max: 16 * 1024,
  /** P11.3: when an email without a connection is tried again. */
  carrier_probe: 5 * second,
  /** P11.3: how often an email probes a failing mail server: at first, so that alerts leave within three seconds of its return, and later. */
  carrier_probe_first: 2 * second,
  carrier_probe_later: 15 * second,
  carrier_probe_often: 10 * minute,
  /** P11.3: emails that other mail servers accepted within this time count as simultaneous. */
  others_simultaneous: 10 * second,
  /** P11.3: the wait when only this mail server may be failing. */
  carrier_retry_first: 30 * second,
  /** P11.3: the longest retry interval, unless urgent. */
  carrier_retry_max: 10 * minute,
  /** P11.4: how long after a permanent failure the others hear of a guardian whom nothing reaches. */
  unreachable_after: 15 * minute,
  /** P14.4: how long dead letters can be sent again. */
  dead_letter_life: 30 * day,
  /** How long one part of deleting old rows may take: shorter than a server's graceful stop. */
  deletion_part: 5 * second,
  /** Alerts that are sent later mention the time of the detection. */
  alert_late: 10 * minute,
  /** Older definitions are no quiet week (P15.6). */
  definitions_old: 30 * day,
  /** The weekly emails of one time zone are spread over this time, from nine o'clock on. */
  weekly_spread: 3 * hour,
  /** Concurrent urgent emails, texts, and push messages. */
  urgent_at_once: 8,
  /** Browsers of a person that get push messages (P11.6). */
  push_subscriptions_max: 10,
  /** After this time a push message is of no use: email and text have arrived, and the page says what is true now. */
  push_life: 1 * hour,
  /** Characters of a push message, as much as phones show. */
  push_title_max: 120,
  push_body_max: 240,
  signup_code_devices: 5,
} as const;
