alter table device_reports add column site text;
