alter table detections add column quiet text;
create index detections_quiet on detections (account, received desc, quiet desc) where quiet is not null;
