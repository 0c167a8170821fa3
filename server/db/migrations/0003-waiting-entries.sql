alter table allow_list
  add column waits_entry uuid,
  add column refused timestamptz,
  add column refused_by text;
