-- The tables of the first version, for PostgreSQL 15 and later. What a column means is written beside its type, in `server/db/*tables.ts`.

-- The server itself: its keys, its limits, and what its operator hears.

create table server_keys (
  purpose text primary key,
  public_key text not null,
  sealed_private_key text not null
);

create table rate_counts (
  key text primary key,
  count integer not null,
  ends timestamptz not null
);
create index rate_counts_ends on rate_counts (ends);
create index rate_counts_prefix on rate_counts (key text_pattern_ops);

create table budgets (
  name text not null,
  day text not null,
  spent integer not null,
  notified_percent integer not null default 0,
  primary key (name, day)
);

create table buckets (
  name text primary key,
  level double precision not null,
  time timestamptz not null
);

create table code_callers (
  caller text primary key,
  unknown integer not null default 0,
  ready timestamptz,
  ends timestamptz not null
);
create index code_callers_ends on code_callers (ends);

create table unreadable_callers (
  only_one boolean primary key default true check (only_one),
  header text not null,
  time timestamptz not null
);

create table operator_problems (
  key text primary key,
  since timestamptz not null,
  notified timestamptz,
  good_since timestamptz,
  facts text not null
);

create table last_backup (
  id integer primary key default 1 check (id = 1),
  made timestamptz not null
);

create table server_uptime (
  since timestamptz primary key,
  until timestamptz not null
);

create table listening (
  one boolean primary key default true check (one),
  checked timestamptz not null,
  since timestamptz not null,
  deaf boolean not null,
  refused timestamptz
);

-- Work in the background.

create table jobs (
  id uuid primary key,
  kind text not null,
  payload jsonb not null,
  unique_key text not null unique,
  run_at timestamptz not null,
  attempts integer not null default 0,
  created timestamptz not null,
  done_at timestamptz,
  failed_at timestamptz,
  last_error text,
  lane text not null,
  domain text,
  failing_since timestamptz,
  why text,
  request_id text
);
create index jobs_dead on jobs (failed_at) where failed_at is not null;
create index jobs_done on jobs (kind, done_at) where done_at is not null;
create index jobs_done_at on jobs (done_at) where done_at is not null;
create index jobs_due on jobs (lane, run_at) where done_at is null and failed_at is null;

create table carriers_away (
  carrier text primary key,
  since timestamptz not null,
  tried timestamptz not null,
  reason text not null
);

-- Signed definitions.

create table definition_sets (
  version integer primary key,
  content_hash text not null,
  document jsonb not null,
  issued timestamptz not null,
  expires timestamptz not null,
  catalogue text not null,
  sites text
);

create table feed_parts (
  sha256 text primary key,
  bytes bytea not null,
  created timestamptz not null
);

create table feed_keys (
  version integer primary key,
  document jsonb not null,
  expires timestamptz not null,
  epoch bigint not null default 1
);

create table site_lists (
  url text primary key,
  etag text,
  last_modified text,
  names bytea,
  count integer not null,
  fetched timestamptz,
  tried timestamptz not null,
  problem text
);

create table wrong_matches (
  identifier text not null,
  name text not null,
  category text not null,
  certainty text not null,
  file text not null,
  count integer not null,
  first_day text not null,
  last_day text not null,
  evidence text not null default '',
  primary key (identifier, name, category, certainty, file, evidence)
);

-- Accounts.

create table accounts (
  uuid uuid primary key,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  password_hash text not null,
  device_limit integer not null check (device_limit >= 0),
  created timestamptz not null,
  pending_email text,
  phone_number text,
  phone_number_verified boolean not null default false,
  sealed_pin text,
  external boolean not null default false,
  lifetime boolean not null default false,
  register_promo_code text,
  phone_verified_time timestamptz
);
create unique index accounts_email on accounts (lower(email));
create index accounts_phone on accounts (phone_number) where phone_number is not null;

create table support_details (
  account uuid primary key references accounts on delete cascade,
  email text,
  phone text,
  title text,
  description text,
  exclusive boolean not null,
  link text,
  linktext text
);

create table account_deletions (
  account uuid primary key references accounts on delete cascade,
  asked timestamptz not null,
  deletes timestamptz not null
);
create index account_deletions_deletes on account_deletions (deletes);

create table renames (
  kind text not null check (kind in ('device', 'profile', 'holder')),
  id uuid not null,
  account uuid not null references accounts on delete cascade,
  before text not null,
  after text not null,
  time timestamptz not null,
  primary key (kind, id)
);
create index renames_account on renames (account);
create index renames_time on renames (time);

create table email_links (
  token_hash bytea primary key,
  account uuid not null references accounts on delete cascade,
  purpose text not null,
  email text not null,
  created timestamptz not null,
  expires timestamptz not null,
  used timestamptz,
  about uuid
);
create index email_links_account on email_links (account, purpose);
create index email_links_expires on email_links (expires);

create table free_downloads (
  email text not null,
  agreed timestamptz not null
);
create unique index free_downloads_email on free_downloads (lower(email));

create table signup_codes (
  uuid uuid primary key,
  code text not null,
  note text not null,
  device_limit integer not null check (device_limit >= 0),
  external boolean not null,
  lifetime boolean not null,
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0,
  expires timestamptz,
  created timestamptz not null
);
create unique index signup_codes_code on signup_codes (upper(code));

-- Ways to log in.

create table sessions (
  token_hash bytea primary key,
  uuid uuid not null unique,
  account uuid not null references accounts on delete cascade,
  created timestamptz not null,
  last_used timestamptz not null,
  browser text not null,
  password_time timestamptz,
  proof text,
  opened_by text
);
create index sessions_account on sessions (account);
create index sessions_created on sessions (created);
create index sessions_last_used on sessions (last_used);

create table known_browsers (
  account uuid not null references accounts on delete cascade,
  token_hash bytea not null,
  created timestamptz not null,
  primary key (account, token_hash)
);

create table known_networks (
  account uuid not null references accounts on delete cascade,
  network_hash bytea not null,
  used timestamptz not null,
  primary key (account, network_hash)
);
create index known_networks_used on known_networks (used);

create table passkeys (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text not null default '',
  name text not null,
  created timestamptz not null,
  last_used timestamptz
);
create index passkeys_account on passkeys (account, created);

create table used_passkey_questions (
  question_hash bytea primary key,
  ends timestamptz not null
);
create index used_passkey_questions_ends on used_passkey_questions (ends);

create table authenticators (
  account uuid primary key references accounts on delete cascade,
  sealed_secret text not null,
  created timestamptz not null,
  last_step bigint not null,
  setup uuid,
  former_secret text,
  former_created timestamptz,
  former_last_step bigint,
  former_setup uuid,
  former_until timestamptz
);

create table used_authenticator_setups (
  setup uuid primary key,
  ends timestamptz not null
);
create index used_authenticator_setups_ends on used_authenticator_setups (ends);

create table recovery_codes (
  account uuid not null references accounts on delete cascade,
  code_hash bytea not null,
  created timestamptz not null,
  primary key (account, code_hash)
);

create table phone_codes (
  account uuid primary key references accounts on delete cascade,
  phone_number text not null,
  code_hash bytea not null,
  expires timestamptz not null,
  tries integer not null default 0
);

create table phone_opt_outs (
  phone_number text primary key,
  since timestamptz not null,
  by_key boolean not null default false
);

-- Plans and payments.

create table customers (
  account uuid primary key references accounts on delete cascade,
  id text not null unique,
  asked integer not null default 0,
  written integer not null default 0,
  polled timestamptz
);

create table subscriptions (
  id text primary key,
  account uuid not null references accounts on delete cascade,
  status text not null,
  price text not null,
  plan text not null,
  amount integer not null,
  interval text not null,
  device_limit integer not null,
  created timestamptz not null,
  trial_end timestamptz,
  period_end timestamptz not null,
  ends timestamptz,
  ended_at timestamptz,
  invoice text
);
create index subscriptions_account on subscriptions (account);

create table checkouts (
  id text primary key,
  account uuid not null references accounts on delete cascade,
  price text not null,
  promo text,
  created timestamptz not null,
  done_at timestamptz
);
create index checkouts_account on checkouts (account);

create table payment_events (
  id text primary key,
  type text not null,
  customer text,
  created timestamptz not null,
  received timestamptz not null
);
create index payment_events_customer on payment_events (customer);
create index payment_events_received on payment_events (received);

create table payment_doubts (
  account uuid primary key references accounts on delete cascade,
  since timestamptz not null,
  believed boolean not null default false
);

-- Devices and their agents.

create table devices (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  name text not null,
  policy text not null,
  policy_version integer not null default 1,
  info jsonb,
  created timestamptz not null,
  installed timestamptz,
  last_seen timestamptz,
  last_detection timestamptz,
  protecting boolean not null default true,
  enrol_id uuid,
  strict_until timestamptz,
  leaves timestamptz,
  person jsonb,
  person_set timestamptz,
  resume uuid,
  days_seen integer not null default 0,
  unknown_to uuid
);
create index devices_account on devices (account, created);
create index devices_last_seen on devices (last_seen);

create table device_codes (
  code text primary key,
  device uuid not null references devices on delete cascade,
  nonce text not null,
  created timestamptz not null,
  expires timestamptz not null,
  used timestamptz
);
create index device_codes_device on device_codes (device);

create table device_tokens (
  token_hash bytea primary key,
  device uuid references devices on delete set null,
  created timestamptz not null,
  account uuid references accounts on delete set null,
  removed timestamptz
);
create index device_tokens_account on device_tokens (account) where account is not null;
create index device_tokens_device on device_tokens (device);

create table device_pins (
  device uuid primary key references devices on delete cascade,
  sealed_pin text not null,
  hash jsonb not null
);

create table device_networks (
  device uuid not null references devices on delete cascade,
  network_hash bytea not null,
  seen timestamptz not null,
  primary key (device, network_hash)
);
create index device_networks_seen on device_networks (seen);

create table device_use (
  device uuid primary key references devices on delete cascade,
  connected_ms integer not null,
  last timestamptz not null
);

create table device_watch (
  device uuid primary key references devices on delete cascade,
  due timestamptz not null,
  says_sleep boolean not null,
  widespread timestamptz
);
create index device_watch_due on device_watch (due);

create table device_outages (
  device uuid primary key references devices on delete cascade,
  kind text not null,
  since timestamptz not null,
  until timestamptz,
  notified_at timestamptz,
  early boolean not null default false,
  early_since timestamptz
);
create index device_outages_not_notified on device_outages (since) where notified_at is null;
create index device_outages_paused on device_outages (until) where kind = 'paused';

create table offline_spells (
  device uuid not null references devices on delete cascade,
  ended timestamptz not null,
  primary key (device, ended)
);
create index offline_spells_ended on offline_spells (ended);

create table device_reports (
  device uuid not null references devices on delete cascade,
  uuid uuid not null,
  time timestamptz not null,
  kind text,
  primary key (device, uuid)
);
create index device_reports_time on device_reports (time);

create table code_secrets (
  device uuid primary key references devices on delete cascade,
  id uuid not null,
  sealed_secret text not null
);

create table one_time_codes (
  device uuid not null references devices on delete cascade,
  purpose text not null,
  program text not null,
  time_window integer not null,
  number integer not null,
  guardian uuid not null,
  time timestamptz not null,
  primary key (device, purpose, program, time_window, number)
);
create index one_time_codes_time on one_time_codes (time);

create table scans (
  uuid uuid not null,
  device uuid not null references devices on delete cascade,
  time timestamptz not null,
  received timestamptz not null,
  items jsonb not null,
  primary key (device, uuid)
);
create index scans_received on scans (received);

-- What a device enforces.

create table allow_list (
  id uuid primary key,
  device uuid not null references devices on delete cascade,
  type text not null check (type in ('domain', 'definition')),
  identifier text not null,
  added timestamptz not null,
  until timestamptz
);
create unique index allow_list_identifier on allow_list (device, type, lower(identifier));

create table start_answers (
  device uuid not null references devices on delete cascade,
  identifier text not null,
  answer text not null check (answer in ('yes', 'no')),
  until timestamptz not null,
  primary key (device, identifier)
);
create index start_answers_until on start_answers (until);

create table custom_policies (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  name text not null,
  actions jsonb not null,
  created timestamptz not null
);
create unique index custom_policies_name on custom_policies (account, lower(name));

create table browsing_protection (
  account uuid primary key references accounts on delete cascade,
  browsers boolean not null,
  resolver text not null check (resolver in ('network', 'quad9', 'cloudflare'))
);

create table unlisted_protection (
  account uuid primary key references accounts on delete cascade,
  pasted_commands boolean not null,
  new_programs text not null check (new_programs in ('count', 'incident', 'always')),
  doors boolean not null,
  money_pages boolean not null,
  money_sites text[] not null,
  money_open text[] not null
);

-- Guardians.

create table guardians (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  name text not null,
  email text not null,
  key_version integer not null default 1,
  invited timestamptz not null,
  accepted timestamptz,
  declined timestamptz,
  left_at timestamptz,
  mail boolean not null default true,
  sms boolean not null default true,
  phone_number text,
  phone_number_verified boolean not null default false,
  phone_verified_time timestamptz,
  mail_ends timestamptz,
  may_isolate boolean,
  position integer
);
create index guardians_address on guardians (lower(email));
create unique index guardians_email on guardians (account, lower(email));
create index guardians_mail_ends on guardians (account) where mail_ends is not null;
create index guardians_phone on guardians (phone_number);

create table guardian_sessions (
  token_hash bytea primary key,
  guardian uuid not null references guardians on delete cascade,
  key_version integer not null,
  created timestamptz not null,
  uuid uuid not null default gen_random_uuid(),
  browser text not null default '',
  last_used timestamptz not null default now()
);
create index guardian_sessions_created on guardian_sessions (created);
create index guardian_sessions_guardian on guardian_sessions (guardian);

create table guardian_phone_codes (
  guardian uuid primary key references guardians on delete cascade,
  phone_number text not null,
  code_hash bytea not null,
  expires timestamptz not null,
  tries integer not null default 0
);

create table guardian_visits (
  guardian uuid not null references guardians on delete cascade,
  time timestamptz not null,
  primary key (guardian, time)
);

create table guardian_weekly_offs (
  guardian uuid primary key references guardians on delete cascade,
  since timestamptz not null
);

create table answer_codes (
  person uuid primary key,
  phone_number text not null,
  code_hash bytea not null,
  expires timestamptz not null,
  tries integer not null default 0
);

-- Detections and the messages about them.

create table detections (
  uuid uuid not null,
  device uuid not null references devices on delete cascade,
  account uuid not null references accounts on delete cascade,
  time timestamptz not null,
  received timestamptz not null,
  name text not null,
  identifier text not null,
  category text not null,
  details text not null,
  blocked boolean not null,
  certainty text not null,
  counted_into uuid,
  why text not null default '',
  primary key (device, uuid),
  foreign key (device, counted_into) references detections
);
create index detections_account on detections (account);
create index detections_alert on detections (device, identifier, time desc) where counted_into is null;
create index detections_counted on detections (device, counted_into) where counted_into is not null;
create index detections_of_device on detections (device, time desc, uuid) where counted_into is null;
create index detections_open on detections (account, time desc, uuid) where counted_into is null and not blocked;
create index detections_page on detections (account, time desc, uuid) include (device) where counted_into is null;
create index detections_received on detections (received);
create index detections_uuid on detections (uuid);

create table alerts_seen (
  account uuid not null references accounts on delete cascade,
  alert uuid not null,
  guardian uuid not null,
  name text not null,
  time timestamptz not null,
  primary key (account, alert, guardian)
);
create index alerts_seen_time on alerts_seen (time);

create table alert_answers (
  account uuid not null references accounts on delete cascade,
  device uuid not null references devices on delete cascade,
  alert uuid not null,
  person uuid not null,
  answer text not null check (answer in ('mine', 'sorted')),
  name text not null,
  time timestamptz not null,
  primary key (account, alert, person, answer)
);
create index alert_answers_device on alert_answers (device);

create table wrong_alerts (
  account uuid not null references accounts on delete cascade,
  device uuid not null references devices on delete cascade,
  alert uuid not null,
  time timestamptz not null,
  primary key (account, alert)
);
create index wrong_alerts_device on wrong_alerts (device);

create table activity_log (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  kind text not null,
  device uuid,
  device_name text,
  what text,
  actor text,
  time timestamptz not null,
  notified text not null,
  received timestamptz not null,
  before jsonb,
  counted text,
  exempt boolean not null default false
);
create index activity_log_account on activity_log (account, time);
create index activity_log_received on activity_log (received);

create table alert_settings (
  account uuid primary key references accounts on delete cascade,
  notify_after_days integer not null check (notify_after_days in (1, 3, 7)),
  weekly boolean not null,
  mail boolean not null,
  sms boolean not null,
  check (mail or sms)
);

create table deliveries (
  key text primary key,
  account uuid not null references accounts on delete cascade,
  kind text not null,
  about text not null,
  guardian uuid,
  name text not null,
  channel text not null,
  state text not null default 'waiting',
  tries integer not null default 0,
  time timestamptz not null,
  why text,
  carrier text
);
create index deliveries_about on deliveries (account, kind, about);
create index deliveries_age on deliveries (kind, time);
create index deliveries_guardian on deliveries (account, guardian, channel, time);
create index deliveries_texts on deliveries (account, time) where channel = 'sms';

create table push_subscriptions (
  person uuid not null,
  endpoint_hash bytea not null,
  account uuid not null references accounts on delete cascade,
  guardian uuid references guardians on delete cascade,
  session uuid not null,
  service text not null,
  sealed_subscription text not null,
  created timestamptz not null,
  primary key (person, endpoint_hash)
);
create index push_subscriptions_account on push_subscriptions (account);
create index push_subscriptions_guardian on push_subscriptions (guardian) where guardian is not null;

create table fire_drills (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  time timestamptz not null
);
create index fire_drills_account on fire_drills (account, time);
create index fire_drills_time on fire_drills (time);

-- Incidents and what waits in them.

create table incidents (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  device uuid not null,
  device_name text not null,
  opened timestamptz not null,
  opener text not null,
  what text,
  last_opener timestamptz not null,
  over timestamptz,
  asked_how timestamptz,
  had_plan boolean not null default false
);
create index incidents_account on incidents (account, opened);
create index incidents_device on incidents (device, opened);
create index incidents_last_opener on incidents (last_opener);

create table incident_events (
  incident uuid not null references incidents on delete cascade,
  time timestamptz not null,
  kind text not null check (kind in ('opened', 'reopened', 'on_it', 'mine', 'over', 'over_asked', 'how', 'stop', 'isolated', 'isolation_lost', 'isolation_back', 'reconnected', 'code_shown')),
  person uuid,
  name text,
  what text
);
create index incident_events_incident on incident_events (incident, time);

create table incident_steps (
  incident uuid not null references incidents on delete cascade,
  step text not null,
  person uuid not null,
  name text not null,
  time timestamptz not null,
  from_account boolean not null default false,
  primary key (incident, step, from_account)
);

create table escalations (
  incident uuid not null references incidents on delete cascade,
  number integer not null,
  opener text not null,
  what text,
  begun timestamptz not null,
  stopped timestamptz,
  answered boolean not null default false,
  primary key (incident, number)
);

create table escalation_steps (
  incident uuid not null,
  number integer not null,
  step text not null,
  sequence integer generated always as identity,
  person uuid,
  call uuid,
  name text,
  time timestamptz not null,
  primary key (incident, number, step),
  foreign key (incident, number) references escalations on delete cascade
);

create table hold_settings (
  account uuid primary key references accounts on delete cascade,
  ask_first boolean not null default false,
  first_connected timestamptz,
  guardian_gone timestamptz
);

create table held_requests (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  incident uuid references incidents on delete cascade,
  device uuid,
  device_name text,
  call_mac bytea not null,
  activities jsonb not null,
  time timestamptz not null,
  rule text not null check (rule in ('hour', 'day')),
  cause text not null check (cause in ('incident', 'second_act', 'ask_first', 'first_hour', 'asked', 'waiting')),
  done timestamptz,
  done_activities jsonb,
  undone timestamptz,
  lifted timestamptz
);
create index held_requests_account on held_requests (account, time);
create index held_requests_alone on held_requests (time) where incident is null;
create index held_requests_incident on held_requests (incident);

create table request_answers (
  request uuid not null references held_requests on delete cascade,
  person uuid not null,
  answer text not null check (answer in ('yes', 'no')),
  name text not null,
  time timestamptz not null,
  primary key (request, person, answer)
);

create table calls (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('guardian', 'person', 'consent')),
  incident uuid references incidents on delete cascade,
  device uuid references devices on delete cascade,
  guardian uuid,
  name text not null,
  phone_number text not null,
  created timestamptz not null,
  state text not null default 'queued' check (state in ('queued', 'ringing', 'answered', 'machine', 'completed', 'busy', 'no_answer', 'failed')),
  pressed text,
  updated timestamptz not null
);
create index calls_account on calls (account, created);
create index calls_created on calls (created);
create index calls_device on calls (device) where device is not null;
create index calls_incident on calls (incident) where incident is not null;

create table call_consents (
  device uuid primary key references devices on delete cascade,
  phone_number text not null,
  asked timestamptz not null,
  agreed timestamptz,
  refused timestamptz
);

-- Emergencies.

create table emergency_stops (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  device uuid references devices on delete cascade,
  kind text not null check (kind in ('guardian_stop', 'help')),
  person uuid,
  name text not null,
  time timestamptz not null,
  until timestamptz not null,
  ended timestamptz
);
create index emergency_stops_account on emergency_stops (account, time);
create index emergency_stops_device on emergency_stops (device);
create index emergency_stops_until on emergency_stops (until);

create table network_isolations (
  uuid uuid primary key,
  account uuid not null references accounts on delete cascade,
  device uuid not null references devices on delete cascade,
  person uuid not null,
  name text not null,
  time timestamptz not null,
  until timestamptz not null,
  may_end boolean not null,
  ended timestamptz,
  in_force boolean not null default true,
  put_back integer not null default 0,
  lost timestamptz
);
create index network_isolations_account on network_isolations (account);
create index network_isolations_device on network_isolations (device, time);
create index network_isolations_until on network_isolations (until);

-- What the simulators of mail, texts and payments store.

create table simulator_items (
  id text primary key,
  kind text not null,
  content bytea not null
);
create index simulator_items_kind on simulator_items (kind, id);

create table shared_documents (
  name text primary key,
  version integer not null,
  content text not null
);

create table payment_account (
  only_one boolean primary key default true check (only_one),
  id text not null,
  livemode boolean not null,
  since timestamptz not null
);
