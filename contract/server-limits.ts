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
  /** How many page visits of a guardian are shown, and after how long another request counts as a new one: an open page polls. */
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
  /** As long as a browser keeps a cookie at most. */
  guardian_session_life: 400 * day,
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
  /** P11.5: code texts in 24 hours, to one person, to all guardians of one account together, and for one caller. */
  phone_codes_per_day: 5,
  guardian_phone_codes_per_day: 10,
  phone_codes_per_caller: 10,
  /** P11.5: texts about alerts in 24 hours to all people of an account together, and as many about acts. Mails go on. */
  news_texts_per_day: 60,
  /** So many more, for severe acts of a kind that nobody was texted about for `act_texts_reserved_for`: a flood of one kind cannot use up those of the others. */
  act_texts_reserved: 60,
  act_texts_reserved_for: hour,
  /** A11: how many unknown codes are looked up at once for the whole service, and how many more each minute. */
  unknown_codes: 20,
  unknown_codes_per_minute: 6,
  /** Beyond that everybody who types a code waits once; four times longer for each unknown code they typed within a day. */
  code_wait: 20 * second,
  code_wait_max: hour,
  /** P2.7: wrong passwords for one account: from one network, and from all that it does not know together. */
  login_tries: 10,
  login_tries_within: 5 * minute,
  login_tries_elsewhere: 30,
  login_tries_elsewhere_within: hour,
  /** A network that nobody logged in from for so long is a stranger again. */
  network_known: 90 * day,
  /** P2.6 */
  pin_digits: 6,
  /** A device is given the hash of the PIN once it was connected for so long; calls further apart than `use_gap` are not one connection. */
  pin_hash_after: 1 * hour,
  use_gap: 5 * minute,
  /** Until then the server is asked: so many tries of all devices of an account. A device takes five wrong ones. */
  pin_tries: 10,
  pin_tries_per: 15 * minute,
  pin_tries_day: 40,
  /** A link that was given out lasts as long as its code, and so does the key that signed it before a new one. */
  link_key_overlap: 7 * day,
  /** Policies are signed when they are asked for; what is on its way at that moment may arrive. */
  policy_key_overlap: 10 * minute,
  /** P9.6: how many alerts one account calls wrong in 24 hours; what the operator reads cannot be made up by one person. */
  wrong_alerts_per_day: 20,
  /** A wish is about what was stopped within this time before it. */
  wish_about: 7 * day,
  /** P5.3, P4.4 */
  alert_grouping: 10 * minute,
  /** A program that was stopped and is back within this time was only started again. */
  stopped_grace: 10 * minute,
  /** P12.7: an awake device that is silent for so long without a goodbye is an outage; `alarmed`: where something was stopped or weakened shortly before. */
  outage_quiet: 15 * minute,
  outage_alarmed: 2 * minute,
  /** P12.7: what counts as shortly before. */
  outage_trouble: 1 * hour,
  /** A device that was merely offline so often within this time is not an outage by its silence alone. */
  offline_spells: 3,
  offline_spells_in: 14 * day,
  /** So many devices that fall silent together, or more than one in so many, are a trouble of our network, not of theirs. */
  outage_many: 5,
  outage_share: 20,
  /** Devices that were heard last within this time of one another fell silent together. */
  outage_together: 3 * minute,
  /** While others are heard, devices that fell silent together wait for so long at most; then their silence counts after days, or at once where there was trouble. */
  outage_held: 1 * hour,
  /** An agent whose call was refused comes back within this time: until then 2 minutes of silence say nothing. */
  outage_refused: 4 * minute,
  /** How often the server checks which devices do not report. A gap of more than two checks counts as an outage of the server itself. */
  outage_look: 1 * minute,
  /** How many outages one check handles. */
  outages_per_look: 200,
  /** Ours: a hundred years, so that a number is a number. */
  away_seconds_max: 3_153_600_000,
  /** The same act on the same device again within this time does not notify again. */
  acts_grouping: 10 * minute,
  /** How many mild acts within that time notify one by one. The next notifies at once as a flood, and the rest share one email. */
  acts_one_by_one: 5,
  /** P10.4: how many severe acts of one kind on one device notify one by one within that time, far more than people do in earnest. */
  severe_acts_of_a_kind: 10,
  /** What is shown of the acts. */
  acts_page: 100,
  fire_drills_per_hour: 3,
  /** How long the server holds an agent's long poll; half of the minute in which a change must arrive after a lost connection. */
  agent_wait_seconds: 25,
  /** What a device sends in one report at most. */
  detections_per_report: 100,
  /** Ours: as many agents as one server has may connect within a second while it does something else; the system may allow fewer. */
  backlog: 4096,
  /** Ours: how many bytes the body of a call has at most, unless its endpoint says otherwise. */
  body_max: 256 * 1024,
  /** Ours: how many bytes one thing that a device reports has at most: 2,500 characters of text, six bytes each, and the rest of it. */
  reported_max: 16 * 1024,
  /** Ours (P11.3): how often one mail tries whether the mail server is back: at first, and from when on less often. */
  carrier_probe: 5 * second,
  carrier_probe_later: 15 * second,
  carrier_probe_often: 10 * minute,
  /** Ours (P11.3): a mail that others' mail server took so shortly before was taken at the same time. */
  others_lately: 10 * second,
  /** Ours (P11.3): how long an email waits if its mail server may be the only one in trouble. */
  carrier_soon: 30 * second,
  /** Ours (P11.3): the longest time between two tries of such a mail that is not urgent. */
  carrier_seldom: 10 * minute,
  /** P14.4: how long what could not be sent can be sent again. */
  dead_letter_life: 30 * day,
  /** Ours: an alert that is sent this long after its detection says when the detection was. In milliseconds. */
  alert_late: 10 * minute,
  /** Ours: over how long the weekly mails of one time zone are spread, from nine on. */
  weekly_spread: 3 * hour,
  /** Ours: how many urgent mails, and how many urgent texts, leave at a time. */
  urgent_at_once: 8,
  /** What a sign-up code gives by default. */
  signup_code_devices: 5,
} as const;
