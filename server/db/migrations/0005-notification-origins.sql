alter table browsing_protection
  add column notification_origins text[] not null default '{}';
