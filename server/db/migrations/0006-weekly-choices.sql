alter table alert_settings
  add column every_week boolean not null default false;
alter table guardians
  add column weekly boolean not null default true,
  add column every_week boolean not null default false;
update guardians set weekly = false where uuid in (select guardian from guardian_weekly_offs);
drop table guardian_weekly_offs;
